import {
  isAllFromOutline,
  isDrawnFromOutline,
  type ParamSpecs,
  type ParamValues,
  type TimeRange,
} from '../../shared/view/index.ts';
import type { AnyView } from '../../views/index.ts';
import { TooLargeError } from '../host/api.ts';
import { loadView } from '../questions/load-view.ts';
import type { AskedTrace } from './traces.ts';

/** What a view gives of a trace: from the outline where that is enough, or where the engine cannot hold more. `say` is told how far it is, `leaveOut` what is missing. */
export async function showView(
  { query, whole }: AskedTrace,
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
  if (isAllFromOutline(view)) return loadView(query, view, params, range, loading);
  return loadView(whole, view, params, range, loading).catch((error: unknown) => {
    if (!(error instanceof TooLargeError) || !isDrawnFromOutline(view)) throw error;
    return loadView(query, view, params, range, loading);
  });
}
