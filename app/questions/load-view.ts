import { TableBuilder, type Query, type TablesProgress } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { type ParamSpecs, type ParamValues, type TimeRange, type View } from '../../shared/view/index.ts';
import type { AnyView } from '../../views/index.ts';
import { TooLargeError } from '../host/api.ts';
import { readRuleFiles, rulesDir } from '../host/user-rules.ts';

/** What is told while a view is loaded. */
export interface LoadingView {
  readonly onTables: (progress: TablesProgress) => void;
  /** Called with what was left out, in words. */
  readonly say: (message: string) => void;
}

/** All that a view gives of a trace: its model, what comes later, and the detail of what its params name. */
export async function loadView(
  query: Query,
  view: AnyView,
  params: ParamValues<ParamSpecs>,
  range: TimeRange,
  { onTables, say }: LoadingView,
): Promise<{ readonly model: unknown; readonly detail: unknown }> {
  const tables = new TableBuilder(query, onTables);
  const need = (modules: readonly string[]) => tables.need(modules);
  const { hasColumns } = dataOf(query);
  if (!hasColumns) await need(view.modules);
  const first = await view.load(query, params, range);
  const model = await loadLater(view, need, query, params, range, first).catch((error: unknown) => {
    if (!(error instanceof TooLargeError) || !hasColumns) throw error;
    say(`without what needs all events in the engine: ${error.message}`);
    return first;
  });
  return { model, detail: await loadNamed(view, query, params, range) };
}

/** What a view adds to its first model; that one where it adds nothing. */
async function loadLater<M>(
  { later }: View<ParamSpecs, M>,
  need: (modules: readonly string[]) => Promise<void>,
  query: Query,
  params: ParamValues<ParamSpecs>,
  range: TimeRange,
  first: M,
): Promise<M> {
  if (later === undefined) return first;
  if (!dataOf(query).hasColumns) await need(later.modules);
  const rules = later.rules === true ? await readRuleFiles(rulesDir(), true) : undefined;
  return later.load(query, params, range, first, rules);
}

/** The detail of what params name; null where they name nothing, or the view has no detail. */
async function loadNamed(
  { detail }: AnyView,
  query: Query,
  params: ParamValues<ParamSpecs>,
  range: TimeRange,
): Promise<unknown> {
  const named = detail?.chosen({ span: null, thread: null, pid: null }, params) ?? null;
  return named === null ? null : detail?.load(query, named, range);
}
