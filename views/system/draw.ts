import { formatCount } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { addPanel, addSection, drawTable, endAll } from '../kit/index.ts';
import { LOSSES_MAX, type SystemModel } from './model.ts';
import type { params } from './params.ts';
import { systemTables } from './tables.ts';

/** Draws the view into a window: a panel for each table. Returns what undoes it. */
export function drawSystem(
  container: HTMLElement,
  model: SystemModel,
  context: ViewContext<typeof params>,
): () => void {
  const grid = addSection(container, 'system-panels');
  grid.style.cssText =
    'display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 560px), 1fr)); align-items: start';
  const chooses = choosesIn(model, context);
  const ends = systemTables(model).map((table) => {
    const onChoose = chooses.get(table.title);
    const count = formatCount(table.rows.length);
    const isCut = table.title === 'Losses' && table.rows.length === LOSSES_MAX;
    const panel = addPanel(grid, table.title, isCut ? `the first ${count}` : count);
    panel.style.setProperty('--table-height', '520px');
    // Its sentences are longer than half a window.
    if (table.title === 'Not recorded') panel.style.gridColumn = '1 / -1';
    return drawTable(panel, table, {
      origin_ns: model.origin_ns,
      name: `system/${table.title}`,
      context,
      ...(onChoose === undefined ? {} : { onChoose }),
    });
  });
  return endAll(ends, container);
}

/** What the choice of a row does, by the title of its table. */
function choosesIn(
  { providers, services }: SystemModel,
  context: ViewContext<typeof params>,
): ReadonlyMap<string, (row: number) => void> {
  return new Map([
    [
      'Events by provider',
      (row) => {
        const { provider, generic = 0 } = providers[row] ?? {};
        if (provider !== undefined && generic > 0) context.openView('generic-events', { provider });
      },
    ],
    [
      'Services',
      (row) => {
        const pid = services[row]?.pid ?? null;
        if (pid !== null) context.select({ span: null, thread: null, pid });
      },
    ],
  ]);
}
