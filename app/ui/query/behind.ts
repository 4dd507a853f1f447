import { signal } from '@preact/signals';

/** The statements that a view has asked, as text with its params bound, by the view's id and then by statement. */
const asked = new Map<string, Map<string, string>>();

/** The ids of the views whose SQL is known. */
export const viewsAsked = signal<ReadonlySet<string>>(new Set());

/** Notes the SQL that a view asks. Of a statement that is asked again, the last params stay. */
export function noteAsked(view: string, statement: string, sql: string): void {
  const statements = asked.get(view) ?? new Map<string, string>();
  statements.set(statement, sql);
  asked.set(view, statements);
  if (!viewsAsked.peek().has(view)) viewsAsked.value = new Set([...viewsAsked.peek(), view]);
}

/** The engine keeps what a statement reads locked until the next one has begun. */
const LET_GO = '-- Lets go of the tables that were read, so that they can be replaced.\nSELECT 1;\n\n';

/** All that a view has asked, one statement after another. */
export function sqlBehind(view: string): string {
  const statements = [...(asked.get(view)?.values() ?? [])].map((sql) => sql.trim().replace(/;?$/, ';'));
  return statements
    .map((sql, at) => (at > 0 && /\bCREATE OR REPLACE\b/i.test(sql) ? LET_GO + sql : sql))
    .join('\n\n');
}
