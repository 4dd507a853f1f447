import { effect, signal } from '@preact/signals';
import { TableBuilder, type Query, type TablesProgress } from '../../shared/engine/index.ts';
import { etwModules } from '../../shared/sql/index.ts';
import { currentView, loaded, type LoadedTrace } from './state.ts';

/** How far the tables of the open trace are; null where none is open. */
export const tablesProgress = signal<TablesProgress | null>(null);

let current: { readonly trace: LoadedTrace; readonly tables: TableBuilder } | null = null;

/** Resolves when the modules are built for the open trace. They come before all others. */
export async function needTables(modules: readonly string[]): Promise<void> {
  await current?.tables.need(modules);
}

/** Builds the tables of each trace that is opened in the background, those that the view in use needs first. */
export function buildTables(query: Query): void {
  effect(() => {
    const trace = loaded.value;
    if (current?.trace === trace) return;
    current = null;
    tablesProgress.value = null;
    if (trace === null) return;
    const tables = new TableBuilder(
      (sql) => (current?.trace === trace ? query(sql) : Promise.reject(new Error('the trace was closed'))),
      (progress) => {
        if (current?.trace === trace) tablesProgress.value = progress;
      },
    );
    current = { trace, tables };
    for (const modules of [etwModules.map(({ name }) => name), currentView.peek()?.modules ?? []]) {
      // Where the engine fails, the view that waits for it says so.
      tables.need(modules).catch(() => undefined);
    }
  });
}
