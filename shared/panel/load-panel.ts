import { toNumber, type Bindings, type Cell, type Query, type QueryResult } from '../engine/index.ts';
import { boundsOf } from '../recording/index.ts';
import { missingNeeds, SqlFileError } from '../sql-file/index.ts';
import type { ParamSpecs, ParamValues, Selection, TimeRange, TraceSummary } from '../view/index.ts';
import { defaultClick } from './click.ts';
import { describeColumn } from './columns.ts';
import { loadLabels } from './labels.ts';
import type { PanelModel } from './model.ts';
import type { Panel } from './panel.ts';
import { paramBindings } from './params.ts';
import runPanelSql from './run-panel.sql';
import threadAtSql from './thread-at.sql';

/** How many rows of a panel are drawn. */
export const MAX_ROWS = 100_000;

/** What a panel is asked of. */
export interface PanelScope {
  readonly trace: TraceSummary;
  readonly range: TimeRange;
  readonly selection: Selection;
}

/** Asks for the rows of a panel. Throws a {@link SqlFileError} or an `EngineError` for one that is wrong. */
export async function loadPanel(
  query: Query,
  panel: Panel,
  values: ParamValues<ParamSpecs>,
  scope: PanelScope,
  maxRows = MAX_ROWS,
): Promise<PanelModel> {
  const { id, title, description, drawing } = panel;
  const known = { id, title, description, drawing, origin_ns: scope.trace.range.start, range: scope.range };
  const missing = (await missingNeeds(query, panel.needs)).map(({ record }) => record);
  if (missing.length > 0)
    return { ...known, columns: [], rows: [], labels: [], more: false, missing, click: null };
  const result = await askPanel(query, panel, values, scope, maxRows);
  checkColumns(panel, result.columns);
  const rowCount = Math.min(maxRows, result.rowCount);
  const rows: Cell[][] = [];
  for (let row = 0; row < rowCount; row++) rows.push(result.columns.map((_, at) => result.cell(row, at)));
  return {
    ...known,
    columns: result.columns.map((name, at) =>
      describeColumn(name, panel.columns.get(name), cellsOf(rows, at)),
    ),
    rows,
    labels: await Promise.all(result.columns.map((name, at) => labelsOf(query, name, rows, at))),
    more: result.rowCount > maxRows,
    missing: [],
    click: panel.click ?? defaultClick(result.columns),
  };
}

/** Asks for the rows alone, whatever is drawn of them. */
export async function askPanel(
  query: Query,
  panel: Panel,
  values: ParamValues<ParamSpecs>,
  scope: PanelScope,
  maxRows = MAX_ROWS,
): Promise<QueryResult> {
  if (panel.over === 'lake')
    throw new SqlFileError(panel.file, null, 'asks a lake of many traces: outrank lake ask LAKE FILE');
  for (const module of panel.includes) await query(`INCLUDE PERFETTO MODULE ${module};`);
  const used = await panelBindings(query, panel, values, scope);
  // A function, since in a text `$` would have a meaning.
  const sql = runPanelSql.replace('/* select */', () => panel.select);
  return query(sql, { ...used, max_rows: maxRows });
}

/** What the parameters that a panel names stand for. */
export async function panelBindings(
  query: Query,
  panel: Panel,
  values: ParamValues<ParamSpecs>,
  scope: PanelScope,
): Promise<Bindings> {
  const given = { ...paramBindings(panel.params, values), ...(await scopeBindings(query, panel, scope)) };
  return Object.fromEntries(Object.entries(given).filter(([name]) => panel.uses.has(name)));
}

/** Throws a {@link SqlFileError} if the rows have not the columns that the header names. */
export function checkColumns({ file, drawing, columns, click }: Panel, present: readonly string[]): void {
  const have = `there are ${present.join(', ')}`;
  const drawn = Object.values(drawing.roles).find((name) => !present.includes(name));
  if (drawn !== undefined)
    throw new SqlFileError(file, drawing.line, `@draw names "${drawn}", which no column is called: ${have}`);
  const said = [...columns.keys()].find((name) => !present.includes(name));
  if (said !== undefined)
    throw new SqlFileError(file, null, `@column names "${said}", which no column is called: ${have}`);
  const needed = { time: 'ts', thread: 'utid', process: 'upid', view: null, panel: null };
  const leading = click === null ? null : needed[click.does];
  if (leading !== null && !present.includes(leading))
    throw new SqlFileError(file, null, `@click needs a column "${leading}": ${have}`);
}

async function scopeBindings(
  query: Query,
  { uses }: Panel,
  { trace, range, selection }: PanelScope,
): Promise<Bindings> {
  const { span, thread, pid } = selection;
  const found =
    thread === null || !uses.has('utid')
      ? undefined
      : [...(await query(threadAtSql, { tid: thread.tid, ts: thread.ts })).rows()][0];
  return {
    ...boundsOf(range),
    bucket_ns: bucketLength(range),
    trace_start: trace.range.start,
    trace_end: trace.range.end,
    cpu_count: trace.cpuCount,
    span_start: span?.start ?? null,
    span_end: span?.end ?? null,
    tid: thread?.tid ?? null,
    thread_ts: thread?.ts ?? null,
    utid: toNumber(found?.utid),
    pid,
  };
}

/** 1, 2 or 5 times a power of 10 that cuts a range into 100 to 250 parts; 1 for a very short one. */
function bucketLength({ start, end }: TimeRange): number {
  const least_ns = (end - start) / 250;
  if (least_ns <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least_ns));
  return ([1, 2, 5].find((step) => step * power >= least_ns) ?? 10) * power;
}

function* cellsOf(rows: readonly (readonly Cell[])[], at: number): Iterable<Cell> {
  for (const row of rows) yield row[at] ?? null;
}

async function labelsOf(
  query: Query,
  column: string,
  rows: readonly (readonly Cell[])[],
  at: number,
): Promise<readonly (string | null)[] | null> {
  const labels = await loadLabels(query, column);
  if (labels === null) return null;
  return rows.map((row) => labels.get(toNumber(row[at]) ?? -1) ?? null);
}
