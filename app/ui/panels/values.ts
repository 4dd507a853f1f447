import type { Panel } from '../../../shared/panel/index.ts';
import { readFitting } from '../state.ts';

/** A panel's params with defaults filled in; those that do not fit are as if not given. */
export function panelValues({ params }: Panel, given: Readonly<Record<string, unknown>>) {
  return readFitting(params, given);
}

/** The params after a change, without those that are as by default. */
export function changedParams(
  panel: Panel,
  given: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string | number | boolean | null>> {
  const all = Object.entries({ ...panelValues(panel, given), ...change });
  const changed = all.filter(([name, value]) => value !== panel.params[name]?.default);
  return Object.fromEntries(changed) as Readonly<Record<string, string | number | boolean | null>>;
}
