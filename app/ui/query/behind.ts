import { signal } from '@preact/signals';
import { bindSql, type Bindings } from '../../../shared/engine/index.ts';

/** The statements that a view has asked, as text with its params bound, by the view's id and then by statement. */
const asked = new Map<string, Map<string, string>>();

/** The ids of the views whose SQL is known. */
export const viewsAsked = signal<ReadonlySet<string>>(new Set());

/** Notes what a view asks. Of a statement that is asked again, the last params stay. */
export function noteAsked(view: string, sql: string, bindings: Bindings = {}): void {
  const statements = asked.get(view) ?? new Map<string, string>();
  statements.set(sql, bindSql(sql, bindings));
  asked.set(view, statements);
  if (!viewsAsked.peek().has(view)) viewsAsked.value = new Set([...viewsAsked.peek(), view]);
}

/** All that a view has asked, one statement after another. */
export function sqlBehind(view: string): string {
  return [...(asked.get(view)?.values() ?? [])].map((sql) => sql.trim().replace(/;?$/, ';')).join('\n\n');
}
