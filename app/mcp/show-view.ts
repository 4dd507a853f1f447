import type { ParamSpecs, ParamValues, TimeRange } from '../../shared/view/index.ts';
import type { AnyView } from '../../views/index.ts';
import { loadView } from '../questions/load-view.ts';
import type { AskedTrace } from './traces.ts';

/** What a view gives of a trace. `say` is told how far it is, `leaveOut` what is missing. */
export async function showView(
  { host, opened }: AskedTrace,
  view: AnyView,
  params: ParamValues<ParamSpecs>,
  range: TimeRange,
  say: (message: string) => void,
  leaveOut: (message: string) => unknown = say,
): Promise<{ readonly model: unknown; readonly detail: unknown }> {
  const loading = {
    onTables: ({ building }: { readonly building: string | null }) =>
      building === null ? undefined : say(`building tables: ${building}`),
    say: (message: string) => void leaveOut(message),
  };
  return loadView(host, opened, view, params, range, loading);
}
