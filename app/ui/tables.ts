import { effect, signal } from '@preact/signals';
import { TableBuilder, type Query, type TablesProgress } from '../../shared/engine/index.ts';
import { etwModules } from '../../shared/sql/index.ts';
import { isDrawnFromOutline } from '../../shared/view/index.ts';
import { TooLargeError, type OpenProgress } from '../host/api.ts';
import type { TraceOverview } from '../host/overview.ts';
import type { AnyView } from '../../views/index.ts';
import { currentView, loaded, type LoadedTrace } from './state.ts';

/** How far the loading of all of a trace is, of which the outline is open; null while none loads. */
export const wholeProgress = signal<OpenProgress | null>(null);

/** What is known of the open trace where the engine cannot hold all of it; null where it can, or where that is not known yet. */
export const tooLarge = signal<TraceOverview | null>(null);

/** How far the tables of the open trace are; null where none is open. */
export const tablesProgress = signal<TablesProgress | null>(null);

let current: { readonly trace: LoadedTrace; readonly tables: TableBuilder } | null = null;

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

/** The modules that are built before a view of a trace is loaded. */
export function modulesFor(view: AnyView, { opened }: LoadedTrace): readonly string[] {
  return opened.tables !== undefined && isDrawnFromOutline(view) ? [] : view.modules;
}

/** The modules that are built before a view of a trace adds to its first model. */
export function laterModulesFor({ later }: AnyView, { opened }: LoadedTrace): readonly string[] {
  if (later === undefined) return [];
  return opened.tables !== undefined && isDrawnFromOutline(later) ? [] : later.modules;
}

/** Whether the tables of these modules are there. */
export function areBuilt(modules: readonly string[]): boolean {
  const built = tablesProgress.peek()?.built;
  return modules.every((module) => built?.has(module));
}

/** Resolves when the modules are built for the open trace. They come before all others. */
export async function needTables(modules: readonly string[]): Promise<void> {
  await current?.tables.need(modules);
}

/**
 * Builds the tables of each trace that is opened in the background, those that the view in use needs first. `loadWhole` loads all of
 * the open trace, if only its outline was.
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
    const tables = new TableBuilder(
      async (sql) => {
        await noViewLoads();
        await (whole ??= load());
        if (current?.trace !== trace) throw new Error('the trace was closed');
        return query(sql);
      },
      (progress) => {
        if (current?.trace === trace) tablesProgress.value = progress;
      },
    );
    current = { trace, tables };
    const view = currentView.peek();
    const first = view === undefined ? [] : modulesFor(view, trace);
    for (const modules of [etwModules.map(({ name }) => name), first]) {
      // Where the engine fails, the view that waits for it says so.
      tables.need(modules).catch(() => undefined);
    }
  });
}
