import { bindSql, toNumber, toText, type Cell, type QueryResult } from '../../../shared/engine/index.ts';
import { makeLink, NO_LINK } from '../../../shared/link/index.ts';
import { describeColumn } from '../../../shared/panel/columns.ts';
import type { LakeAnswer, LakeExample } from '../../../shared/lake/index.ts';
import { checkColumns, MAX_ROWS, type Panel } from '../../../shared/panel/index.ts';
import { paramBindings } from '../../../shared/panel/params.ts';
import { SqlFileError } from '../../../shared/sql-file/index.ts';
import type { ParamSpecs, ParamValues } from '../../../shared/view/index.ts';
import type { QueryBounds } from '../../questions/bounded-query.ts';
import { listLiteral } from '../lake/duckdb.ts';
import { LakeError } from '../lake/lake-error.ts';
import type { LakeReader } from '../lake/reader.ts';

/** The columns in which a question names traces to look at: `TRACE`, `TRACE@TS` or `TRACE@TS@TID`. */
const EXAMPLES = ['example_1', 'example_2', 'example_3'];
/** So much is shown on either side of an example, in ns. */
const AROUND_NS = 500_000_000;

/** The SQL of a question with its params in place. Throws a {@link LakeError} for a panel that asks one trace. */
export function questionSql(panel: Panel, values: ParamValues<ParamSpecs>): string {
  if (panel.over !== 'lake')
    throw new LakeError(`${panel.file}: asks one trace: a question to a lake says -- @over lake`);
  return bindSql(panel.select, paramBindings(panel.params, values));
}

/** Asks a lake. Rejects with a {@link SqlFileError} for a panel whose rows do not say how many traces they are of. */
export async function askLake(
  reader: LakeReader,
  panel: Panel,
  values: ParamValues<ParamSpecs>,
  bounds: QueryBounds,
): Promise<LakeAnswer> {
  const result = await reader.query(questionSql(panel, values), bounds);
  checkColumns(panel, result.columns);
  for (const name of ['n', ...EXAMPLES])
    if (!result.columns.includes(name))
      throw new SqlFileError(
        panel.file,
        null,
        `its rows have no column "${name}": a question to a lake says how many traces each row is of (n), and names three (${EXAMPLES.join(', ')})`,
      );
  const { id, title, description, drawing } = panel;
  const shown = result.columns
    .map((name, at) => ({ name, at }))
    .filter(({ name }) => !EXAMPLES.includes(name));
  const rows = Array.from({ length: Math.min(MAX_ROWS, result.rowCount) }, (_, row) =>
    shown.map(({ at }) => result.cell(row, at)),
  );
  const columns = shown.map(({ name }, at) =>
    describeColumn(name, panel.columns.get(name), cellsOf(rows, at)),
  );
  const counted = await reader.query(
    'SELECT count(*) AS traces, count(*) FILTER (WHERE is_lossy) AS lossy FROM trace',
    bounds,
  );
  return {
    model: {
      ...{ id, title, description, drawing, columns, rows },
      origin_ns: 0,
      range: { start: 0, end: 0 },
      labels: columns.map(() => null),
      more: result.rowCount > MAX_ROWS,
      missing: [],
      click: null,
    },
    examples: await examplesOf(reader, result, bounds),
    traces: toNumber(counted.cell(0, 0)) ?? 0,
    lossy: toNumber(counted.cell(0, 1)) ?? 0,
  };
}

function* cellsOf(rows: readonly (readonly Cell[])[], at: number): Iterable<Cell> {
  for (const row of rows) yield row[at] ?? null;
}

interface Place {
  readonly trace: string;
  readonly ts: number | null;
  readonly tid: number | null;
}

async function examplesOf(
  reader: LakeReader,
  result: QueryResult,
  bounds: QueryBounds,
): Promise<readonly (readonly LakeExample[])[]> {
  const places = Array.from({ length: result.rowCount }, (_, row) =>
    EXAMPLES.flatMap((name): Place[] => {
      const text = toText(result.cell(row, result.columns.indexOf(name)));
      const [, trace, ts, tid] = /^([0-9a-f]{64})(?:@(\d+)(?:@(\d+))?)?$/.exec(text ?? '') ?? [];
      if (trace === undefined) return [];
      return [
        { trace, ts: ts === undefined ? null : Number(ts), tid: tid === undefined ? null : Number(tid) },
      ];
    }),
  );
  const named = [...new Set(places.flat().map(({ trace }) => trace))];
  if (named.length === 0) return places.map(() => []);
  const known = await reader.query(
    `SELECT trace_id, name, start_ts, dur_ns FROM trace WHERE trace_id IN ${listLiteral(named)}`,
    bounds,
  );
  const traces = new Map([...known.rows()].map((row) => [toText(row.trace_id) ?? '', row]));
  return Promise.all(
    places.map((some) =>
      Promise.all(
        some.map(async (place) => {
          const row = traces.get(place.trace);
          const name = toText(row?.name) ?? place.trace;
          const start_ns = toNumber(row?.start_ts) ?? 0;
          const end_ns = start_ns + (toNumber(row?.dur_ns) ?? 0);
          const at_ns = place.ts === null ? null : place.ts - start_ns;
          const { ts, tid } = place;
          return {
            trace: place.trace,
            name,
            at_ns,
            ts,
            tid,
            link: await linkTo(place, name, start_ns, end_ns),
          };
        }),
      ),
    ),
  );
}

function linkTo({ trace, ts, tid }: Place, name: string, start_ns: number, end_ns: number): Promise<string> {
  const range =
    ts === null
      ? null
      : { start: Math.max(start_ns, ts - AROUND_NS), end: Math.max(ts, Math.min(end_ns, ts + AROUND_NS)) };
  const thread = ts === null || tid === null ? null : { tid, ts };
  return makeLink({
    ...NO_LINK,
    trace: { id: trace, name, sizeBytes: null },
    place: { ...NO_LINK.place, view: 'timeline', range, selection: { span: null, thread, pid: null } },
  });
}
