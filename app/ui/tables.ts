import { effect, signal } from '@preact/signals';
import { TableBuilder, type Query, type TablesProgress } from '../../shared/engine/index.ts';
import { etwModules } from '../../shared/sql/index.ts';
import { outlineAnswers } from '../../shared/sql-file/index.ts';
import { modulesNamedIn } from '../../shared/sql/modules.ts';
import { TooLargeError, type OpenProgress } from '../host/api.ts';
import type { TraceOverview } from '../host/overview.ts';
import type { AnyView } from '../../views/index.ts';
import { currentView, loaded, type LoadedTrace } from './state.ts';

/** How far the loading of a whole trace is, while its outline is open; null while none loads. */
export const wholeProgress = signal<OpenProgress | null>(null);

/** What is known of the open trace where the engine cannot hold all of it; null where it can, or where that is not known yet. */
export const tooLarge = signal<TraceOverview | null>(null);

/** How far the tables of the open trace are; null where none is open. */
export const tablesProgress = signal<TablesProgress | null>(null);

let current: {
  readonly trace: LoadedTrace;
  readonly tables: TableBuilder;
  /** Loads all of the trace, if only its outline was. */
  readonly loadAll: () => Promise<unknown>;
} | null = null;

let viewLoad: Promise<unknown> = Promise.resolve();

/** Lets no table be built until a view has loaded: its queries would wait for one after the other. */
export function holdTablesFor<T>(load: Promise<T>): Promise<T> {
  viewLoad = Promise.allSettled([viewLoad, load]);
  return load;
}

/** Resolves when no view loads. */
async function noViewLoads(): Promise<void> {
  let seen;
  do {
    seen = viewLoad;
    await seen;
  } while (seen !== viewLoad);
}

/** The modules that are built before a view of a trace is loaded: of one with columns none. */
export function modulesFor(view: AnyView, { opened }: LoadedTrace): readonly string[] {
  return opened.tables === undefined ? view.modules : [];
}

/** The modules that are built before a view of a trace adds to its first model. */
export function laterModulesFor({ later }: AnyView, { opened }: LoadedTrace): readonly string[] {
  return opened.tables === undefined ? (later?.modules ?? []) : [];
}

/** Resolves when the modules are built for the open trace, if there are any. They come before all others. */
export async function needTables(modules: readonly string[]): Promise<void> {
  if (modules.length > 0) await current?.tables.need(modules);
}

/** Resolves when the open trace can be asked some SQL: at once where its outline answers, else when all of it is loaded and the tables are built. */
export async function needSql(sql: string): Promise<void> {
  if (current === null) return;
  const { trace, tables, loadAll } = current;
  if (trace.opened.tables !== undefined) {
    if (outlineAnswers(sql)) return;
    await loadAll();
  }
  await tables.need(modulesNamedIn(sql));
}

/**
 * Builds the tables of each trace without columns that is opened in the background, those that the view in use needs first. Of a trace
 * with columns `loadWhole` loads all, once something needs more than its outline.
 */
export function buildTables(
  query: Query,
  loadWhole: (onProgress: (progress: OpenProgress) => void) => Promise<unknown>,
): void {
  effect(() => {
    const trace = loaded.value;
    if (current?.trace === trace) return;
    current = null;
    tablesProgress.value = null;
    wholeProgress.value = null;
    tooLarge.value = null;
    if (trace === null) return;
    let whole: Promise<unknown> | null = trace.opened.tables === undefined ? Promise.resolve() : null;
    const load = () =>
      loadWhole((progress) => {
        if (current?.trace === trace) wholeProgress.value = progress;
      })
        .catch((error: unknown) => {
          // What is too large stays so; what else failed is tried again.
          if (!(error instanceof TooLargeError)) whole = null;
          else if (current?.trace === trace) tooLarge.value = error.overview;
          throw error;
        })
        .finally(() => {
          if (current?.trace === trace) wholeProgress.value = null;
        });
    const loadAll = () => (whole ??= load());
    const tables = new TableBuilder(
      async (sql) => {
        await noViewLoads();
        await loadAll();
        if (current?.trace !== trace) throw new Error('the trace was closed');
        return query(sql);
      },
      (progress) => {
        if (current?.trace === trace) tablesProgress.value = progress;
      },
    );
    current = { trace, tables, loadAll };
    if (trace.opened.tables !== undefined) return;
    const view = currentView.peek();
    const first = view === undefined ? [] : modulesFor(view, trace);
    for (const modules of [etwModules.map(({ name }) => name), first]) {
      // Where the engine fails, the view that waits for it says so.
      tables.need(modules).catch(() => undefined);
    }
  });
}
