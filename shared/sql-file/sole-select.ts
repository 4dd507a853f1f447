import { SqlFileError } from './header.ts';
import type { SqlFile } from './parse.ts';
import { isComment, TOKEN } from './tokens.ts';

/** Functions of trace_processor that a SELECT can call and that change something: other functions, tables, files. */
const EFFECTS =
  /\b(?:create_function|create_view_function|experimental_memoize|export_json|import|run_metric|write_file)\b/i;

/**
 * The text of a file that is one SELECT, fit to stand between parentheses, where SQL allows nothing that writes.
 * Throws a {@link SqlFileError} for any other text.
 */
export function soleSelect({ name, text }: Pick<SqlFile, 'name' | 'text'>): string {
  let depth = 0;
  let begun = false;
  let end: number | null = null;
  const refuse = (index: number, message: string) =>
    new SqlFileError(name, text.slice(0, index).split('\n').length, message);
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (isComment(token)) continue;
    if (end !== null) throw refuse(index, 'only one statement is taken');
    const effect = token.startsWith("'") ? undefined : EFFECTS.exec(token)?.[0];
    if (effect !== undefined) throw refuse(index, `${effect.toLowerCase()} changes more than it reads`);
    if (!begun && !/^(select|with)$/i.test(token)) {
      throw refuse(index, `the statement must be a SELECT, not "${token.slice(0, 20)}"`);
    }
    begun = true;
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth < 0) throw refuse(index, 'a parenthesis closes that was not opened');
    if (token === ';') end = index;
  }
  if (!begun) throw new SqlFileError(name, null, 'there is no SQL after the header');
  if (depth > 0) throw new SqlFileError(name, null, 'a parenthesis is not closed');
  return end === null ? text : text.slice(0, end);
}
