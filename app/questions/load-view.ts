import { TableBuilder, type TablesProgress } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { type ParamSpecs, type ParamValues, type TimeRange } from '../../shared/view/index.ts';
import type { AnyView } from '../../views/index.ts';
import { TooLargeError, type Host, type OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { readRuleFiles, rulesDir } from '../host/user-rules.ts';
import { unpacked } from '../host/model-source/pack.ts';

/** What is told while a view is loaded. */
export interface LoadingView {
  readonly onTables: (progress: TablesProgress) => void;
  /** Called with what was left out, in words. */
  readonly say: (message: string) => void;
}

/** All that a view gives of a trace: its model, what comes later, and the detail of what its params name. */
export async function loadView(
  host: Pick<Host, 'query' | 'queryOutline' | 'readTable' | 'models'>,
  opened: OpenTrace,
  view: AnyView,
  params: ParamValues<ParamSpecs>,
  range: TimeRange,
  { onTables, say }: LoadingView,
): Promise<{ readonly model: unknown; readonly detail: unknown }> {
  const query = hostQuery(host, opened);
  const { hasColumns } = dataOf(query);
  const packed = hasColumns && opened.makesModels === true ? host.models?.(opened.id) : undefined;
  const beside = packed === undefined ? null : unpacked(packed);
  const tables = new TableBuilder(query, onTables);
  const need = async (modules: readonly string[]) => {
    if (!hasColumns) await tables.need(modules);
  };
  const wanted = { view: view.id, params, range };

  async function loadLater(first: unknown): Promise<unknown> {
    const { later } = view;
    if (later === undefined) return first;
    await need(later.modules);
    const more =
      beside === null
        ? await later.load(query, params, range, first)
        : ((await beside.load('later', wanted, {})) ?? first);
    return later.find === undefined ? more : later.find(query, more, await readRuleFiles(rulesDir(), true));
  }

  async function loadNamed(): Promise<unknown> {
    const chosen = view.detail?.chosen({ span: null, thread: null, pid: null }, params) ?? null;
    if (chosen === null) return null;
    return beside === null
      ? view.detail?.load(query, chosen, range)
      : beside.load('detail', { ...wanted, chosen }, {});
  }

  try {
    await need(view.modules);
    const first =
      beside === null ? await view.load(query, params, range) : await beside.load('load', wanted, {});
    const model = await loadLater(first).catch((error: unknown) => {
      if (!(error instanceof TooLargeError) || !hasColumns) throw error;
      say(`without what needs all events in the engine: ${error.message}`);
      return first;
    });
    return { model, detail: await loadNamed() };
  } finally {
    beside?.end();
  }
}
