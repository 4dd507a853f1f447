import type { Query } from '../engine/index.ts';
import { readParams } from '../view/index.ts';
import { askPanel, checkColumns } from './load-panel.ts';
import type { Panel } from './panel.ts';

/**
 * Asks an engine for no row of a panel: it says what is wrong with the SELECT, and which columns its rows have. The tables
 * need no trace. Throws as `loadPanel` does.
 */
export async function checkPanel(query: Query, panel: Panel): Promise<readonly string[]> {
  const range = { start: 0, end: 1 };
  const scope = {
    trace: { range, cpuCount: 1 },
    range,
    selection: { span: null, thread: null, pid: null },
  };
  const { columns } = await askPanel(query, panel, readParams(panel.params, {}), scope, -1);
  checkColumns(panel, columns);
  return columns;
}
