import { decodeQueryResult } from './decode.ts';
import type { Bindings, Query } from './engine.ts';

/** What in SQL is no parameter, whatever it holds: strings, quoted names, comments, `::`; and a parameter. */
const TOKEN = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|--[^\n]*|\/\*[^]*?(?:\*\/|$)|::|:([A-Za-z_]\w*)/g;

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Parameters that a statement names and bindings do not give, or the other way round. */
export class BindError extends Error {
  override readonly name = 'BindError';
}

/** The `:name` parameters of `sql`, each where it stands first, as an offset in the text. */
export function parametersOf(sql: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { 1: name, index } of sql.matchAll(TOKEN)) {
    if (name !== undefined && !found.has(name)) found.set(name, index);
  }
  return found;
}

/**
 * Puts `bindings` in place of the `:name` parameters of `sql`, as SQL literals.
 * Throws a {@link BindError} for a parameter without value, a value without parameter, and a value that SQL has not.
 */
export function bindSql(sql: string, bindings: Bindings): string {
  const used = new Set<string>();
  const bound = sql.replace(TOKEN, (token, name: string | undefined) => {
    if (name === undefined) return token;
    const value = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
    if (value === undefined) throw new BindError(`no value for parameter :${name}`);
    used.add(name);
    return literal(name, value);
  });
  for (const name of Object.keys(bindings)) {
    if (!used.has(name)) throw new BindError(`the statement has no parameter :${name}`);
  }
  return bound;
}

function literal(name: string, value: number | bigint | string | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new BindError(`parameter :${name} holds a NUL character`);
    return `'${value.replaceAll("'", "''")}'`;
  }
  if (typeof value === 'number' ? !Number.isFinite(value) : value < INT64_MIN || value > INT64_MAX) {
    throw new BindError(`parameter :${name} is no number that SQL has: ${String(value)}`);
  }
  // In parentheses, since a minus before a minus would begin a comment.
  return value < 0 ? `(${String(value)})` : String(value);
}

/** The {@link Query} that views are given, over an engine's or a host's `query`. */
export function makeQuery(run: (sql: string) => Promise<Uint8Array>): Query {
  return async (sql, bindings = {}) => decodeQueryResult(await run(bindSql(sql, bindings)));
}
