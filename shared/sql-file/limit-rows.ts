import { isComment, TOKEN } from './tokens.ts';

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A text that gives a limited number of rows. `placeOf` says where its places are in the text it was made of. */
export interface LimitedSql {
  readonly sql: string;
  readonly placeOf: (place: Place) => Place;
}

/**
 * Makes the last statement of `sql` give at most `maxRows` rows, if it is a SELECT; what is none gives few. The text
 * moves down by a line at most, so that an error keeps its place.
 */
export function limitRows(sql: string, maxRows: number): LimitedSql {
  let first: { index: number; token: string } | null = null;
  let end = sql.length;
  let closed = false;
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (isComment(token)) continue;
    if (token === ';') {
      if (!closed) end = index;
      closed = true;
    } else if (first === null || closed) {
      first = { index, token };
      closed = false;
      end = sql.length;
    }
  }
  if (first === null || !/^(select|with|values)$/i.test(first.token))
    return { sql, placeOf: (place) => place };
  const before = sql.slice(0, first.index);
  const lines = before.split('\n');
  const indent = ' '.repeat((lines.at(-1) ?? '').length);
  const moved = lines.length;
  const last = sql.slice(first.index, end).split('\n').length + moved - 1;
  return {
    sql: `${before}SELECT * FROM (\n${indent}${sql.slice(first.index, end)}\n) LIMIT ${maxRows}`,
    placeOf: ({ line, column }) =>
      line > moved ? { line: Math.min(last, line - 1), column } : { line, column },
  };
}
