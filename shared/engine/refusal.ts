import { EngineError } from './engine.ts';

/** Comments, and quoted texts and names, of SQL; each up to the end of the text where it does not end. */
const COMMENT_OR_QUOTED =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)/g;
const REFUSED = /(?:^|;)\s*(ATTACH|DETACH)\b/i;

/**
 * Why SQL is not asked: it attaches or detaches a database. That would harm nothing, since no file can be opened and what is
 * lent is attached again; but who writes it should know. Null for other SQL.
 */
export function refusalOf(sql: string): EngineError | null {
  // As many characters, so that places stay.
  const bare = sql.replace(COMMENT_OR_QUOTED, (text) => text.replace(/[^\n]/g, ' '));
  const found = REFUSED.exec(bare);
  const word = found?.[1];
  if (found === null || word === undefined) return null;
  const before = bare.slice(0, found.index + found[0].length - word.length).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  return new EngineError(
    'sql',
    `${word.toUpperCase()} is not possible: SQL reaches the loaded trace alone`,
    place,
  );
}
