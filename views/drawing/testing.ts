import { makeQuery } from '../../shared/engine/index.ts';
import { startProcessor } from '../../shared/engine/testing/start.ts';
import { loadPanel, readPanel, type DrawingKind, type PanelModel } from '../../shared/panel/index.ts';

/** The range in view of the panels of tests, in ns. */
export const RANGE = { start: 1000, end: 2000 };

/** The model of a panel that draws the rows of a SELECT, as the engine gives them. */
export async function panelOfSelect(draw: string, select: string): Promise<PanelModel> {
  const processor = await startProcessor();
  processor.finalize();
  const query = makeQuery((sql) => Promise.resolve(processor.query(sql)));
  const text = `-- @title A\n-- @description B\n-- @draw ${draw}\n${select}`;
  const scope = {
    trace: { range: RANGE, cpuCount: 1 },
    range: RANGE,
    selection: { span: null, thread: null, pid: null },
  };
  return loadPanel(query, readPanel({ name: 'a.panel.sql', text }), {}, scope);
}

/** The model of a panel whose rows are `values`. */
export function panelOf(draw: string, columns: string, values: string): Promise<PanelModel> {
  return panelOfSelect(draw, `WITH r(${columns}) AS (VALUES ${values}) SELECT * FROM r`);
}

/** What a trace could hold to harm the page that shows it. */
export const MARKUP = '<img src=x onerror=alert(1)>';

/** Rows that every drawing can show, whose texts are {@link MARKUP}. */
export const HOSTILE_ROWS = `SELECT
  :range_start + i * (:range_end - :range_start) / 8 AS ts,
  (:range_end - :range_start) / 16 AS dur,
  1 + i % 4 AS amount,
  i AS id,
  nullif(i - 1, -1) AS parent,
  '${MARKUP}' || (i % 3) AS text
FROM (SELECT 0 AS i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6)
`;

/** How each kind draws {@link HOSTILE_ROWS}. */
export const HOSTILE_DRAWINGS: Readonly<Record<DrawingKind, string>> = {
  table: 'table',
  bars: 'bars name=text value=amount series=text',
  lines: 'lines x=ts y=amount series=text',
  area: 'area x=ts y=amount series=text',
  histogram: 'histogram value=dur count=amount',
  heatmap: 'heatmap x=ts y=text value=amount',
  scatter: 'scatter x=ts y=amount series=text',
  spans: 'spans lane=text ts=ts dur=dur series=text',
  flame: 'flame id=id parent=parent name=text value=amount',
  marks: 'marks ts=ts label=text series=text',
  number: 'number value=dur warn=1ns bad=1s',
};
