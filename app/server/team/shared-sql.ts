/**
 * What may be asked of an engine that several viewers share: SQL whose answer depends on nothing but the trace and
 * itself, and that changes no answer of anybody else.
 */

/** With which a statement may begin. */
const BEGINNINGS = new Set(['select', 'with', 'values', 'explain', 'include', 'create']);
/** Words that are nowhere needed to read, and SQL functions that define or change something. */
const CHANGES = new Set([
  ...['insert', 'update', 'delete', 'drop', 'alter', 'attach', 'detach', 'pragma', 'vacuum', 'reindex'],
  ...['create_function', 'create_view_function', 'experimental_memoize', 'run_metric', 'load_extension'],
]);
/** `CREATE OR REPLACE PERFETTO …` of names that only queries of the same text use. */
const OWN = /^_(?!etw)\w+$/;

/** Strings, quoted names and comments, which hide semicolons and words; else a word, or a character. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\p{L}_$][\p{L}\p{N}_$]*|\S/gu;

/** Why a text of SQL is not run on a shared engine; null if it is. */
export function refusalOfSql(sql: string): string | null {
  const statement: string[] = [];
  for (const token of [...words(sql), ';']) {
    if (token !== ';') {
      statement.push(token);
      continue;
    }
    const refusal = refusalOfStatement(statement);
    if (refusal !== null) return refusal;
    statement.length = 0;
  }
  return null;
}

function* words(sql: string): Iterable<string> {
  for (const [token] of sql.matchAll(TOKEN)) {
    if (!token.startsWith('--') && !token.startsWith('/*')) yield token.toLowerCase();
  }
}

function refusalOfStatement(words: readonly string[]): string | null {
  const [first, second, third, fourth, kind, name = ''] = words;
  if (first === undefined) return null;
  const shown = first.slice(0, 40);
  if (!BEGINNINGS.has(first))
    return `statements of a shared trace begin with SELECT, WITH, VALUES, EXPLAIN, INCLUDE or CREATE OR REPLACE PERFETTO, not "${shown}"`;
  const change = words.find((word) => CHANGES.has(word));
  if (change !== undefined)
    return `a trace that several viewers share is read only: ${change.toUpperCase()} is not run`;
  if (words.some((word, at) => word === 'replace' && words[at + 1] === 'into'))
    return 'a trace that several viewers share is read only: REPLACE INTO is not run';
  if (first !== 'create') return null;
  const replaces = second === 'or' && third === 'replace' && fourth === 'perfetto';
  if (!replaces || kind === 'index' || !OWN.test(name))
    return 'of a shared trace, only CREATE OR REPLACE PERFETTO TABLE, VIEW, FUNCTION or MACRO is run, of a name that begins with _, for the statements that follow it';
  return null;
}
