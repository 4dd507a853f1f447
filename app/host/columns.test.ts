import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { expect, test } from 'vitest';
import { decodeQueryResult, makeQuery } from '../../shared/engine/index.ts';
import { readRows, sqlTables, type TableName, type Tables } from '../../shared/tables/index.ts';
import { openColumns, REAL, REAL_FOLDER, SCENARIOS, writeColumns } from './testing/columns.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

type Row = Readonly<Record<string, unknown>>;

/** Tables whose keys are numbered apart in columns and in SQL: they are compared by what the keys stand for. */
type StackTable =
  | 'etw_callsite'
  | 'etw_event_stack'
  | 'etw_frame'
  | 'etw_frame_function'
  | 'etw_mapping'
  | 'etw_pmc_sample'
  | 'etw_sample';

/** Tables with keys of files, in the place of which SQL has paths, and with calls that are numbered apart. */
const IO_TABLES = ['etw_disk_io', 'etw_file_io', 'etw_hard_fault'] as const;
type IoTable = 'etw_file' | (typeof IO_TABLES)[number];

/** Events, parted: `outline-sql.test.ts` compares what SQL makes of them. */
type EventTable = 'etw_event_shape' | 'etw_generic_event';

/** No table of SQL: `outline-sql.test.ts` compares the context switches that it tells of. */
type PartTable = 'etw_run_before';

/** The other tables that are written as columns, and what their rows are sorted by. */
const TABLES: Readonly<Record<Exclude<TableName, StackTable | IoTable | EventTable | PartTable>, string>> = {
  etw_counter_source: 'counter',
  etw_cpu: 'cpu',
  etw_focus: 'ts, session',
  etw_image: 'base, upid, load_ts',
  etw_input: 'ts',
  etw_trace: 'start_ts',
  etw_event_count: 'count DESC, provider, event, version',
  etw_process: 'upid',
  etw_process_freeze: 'ts, upid',
  etw_suspend: 'ts',
  etw_thread: 'utid',
  etw_thread_affinity: 'ts, utid',
  etw_thread_ideal_cpu: 'ts, utid',
  etw_run: 'ts, cpu',
  etw_run_counter: 'te, counter',
  etw_service: 'ts, name',
  etw_ready_wait: 'ts, utid',
  etw_ready_wait_long: 'ts, utid',
  etw_ready_wait_rest: 'utid',
  etw_interrupt: 'ts + dur, cpu',
  etw_loss: 'ts, message',
  etw_cpu_time: 'ts, utid',
};
const RECORDINGS = [...SCENARIOS, ...REAL.map((file) => [file])];
const CPU_TIME = ['ts', 'dur', 'utid', 'priority', 'rank', 'ran_ns', 'switches'];
/** What has the same keys in the outline as in the whole trace. */
const KEYS =
  'SELECT utid, tid, upid, pid, thread.name FROM thread LEFT JOIN process USING (upid) ORDER BY utid';
/** What an outline has none of, since columns have it. */
const NO_STACKS =
  'SELECT (SELECT count(*) FROM perf_sample) + (SELECT count(*) FROM stack_profile_callsite) AS count';

/** The rows of a table with a call, in the place of which the whole stack stands, the innermost frame first. */
async function readStacked(
  tables: Tables,
  table: 'etw_event_stack' | 'etw_pmc_sample' | 'etw_sample' | (typeof IO_TABLES)[number],
  names: readonly string[],
): Promise<Row[]> {
  const calls = await readRows(tables, 'etw_callsite', ['caller', 'depth', 'frame']);
  const frames = await readRows(tables, 'etw_frame', ['mapping', 'mapping_offset']);
  const functions = await readRows(tables, 'etw_frame_function', ['frame', 'function']);
  const methods = new Map(functions.map((row) => [row.frame, row.function]));
  const mappings = await readRows(tables, 'etw_mapping', MAPPING);
  const mapped = new Map(mappings.map(({ mapping, ...row }) => [mapping, row]));
  const frameTexts = frames.map(({ mapping, mapping_offset }, frame) =>
    JSON.stringify({ ...mapped.get(mapping), mapping_offset, function: methods.get(frame) }),
  );
  // A call comes after its caller.
  const stacks: string[] = [];
  for (const { caller, depth, frame } of calls)
    stacks.push(
      `${String(depth)}${String(frameTexts[Number(frame)])}${caller === null ? '' : (stacks[Number(caller)] ?? '')}`,
    );
  const stackAt = (callsite: unknown) => (callsite === null ? '' : stacks[Number(callsite)]);
  const rows = await readRows(tables, table, [...names, 'callsite']);
  return rows.map(({ callsite, ...row }) => ({ ...row, stack: stackAt(callsite) }));
}

const SAMPLE = ['ts', 'cpu', 'utid', 'priority', 'rank', 'in_dpc', 'in_isr', 'is_kernel', 'weight_ns'];
const PMC_SAMPLE = ['ts', 'cpu', 'utid', 'source', 'source_name', 'is_kernel', 'weight_events'];
const MAPPING = ['mapping', 'module', 'start', 'size_bytes', 'is_image', 'guid'];
const EVENT_STACK = ['ts', 'cpu', 'utid', 'kind', 'event_id'];

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return Number(value);
  return value ?? null;
}

/** A text for each row, in place of a comparison of objects, which takes ten times as long. */
function textsOf(
  rows: readonly Row[],
  names: readonly string[],
  textOf = (value: unknown) => value,
): readonly string[] {
  return rows.map((row) => {
    let text = '';
    for (const name of names) {
      const value = textOf(row[name]);
      text += typeof value === 'string' ? `${JSON.stringify(value)},` : `${String(value)},`;
    }
    return text;
  });
}

/** Expects the same rows in any order. Rows that stand in the same order need no texts, which take most of the time. */
function expectSameRows(
  found: readonly Row[],
  expected: readonly Row[],
  names: readonly string[],
  table: string,
): void {
  expect(found.length, table).toBe(expected.length);
  if (inSameOrder(found, expected, names, plain)) return;
  const wanted = new Set(textsOf(expected, names, plain));
  expect(new Set(textsOf(found, names, plain)), table).toEqual(wanted);
}

function inSameOrder(
  found: readonly Row[],
  expected: readonly Row[],
  names: readonly string[],
  valueOf = (value: unknown) => value,
): boolean {
  return names.every((name) =>
    found.every((row, at) => Object.is(valueOf(row[name]), valueOf(expected[at]?.[name]))),
  );
}

/** The names of a file's columns, and its rows. */
function readColumns(path: string): { readonly names: string[]; readonly rows: Row[] } {
  const table = tableFromIPC(readFileSync(path));
  const names = table.schema.fields.map((field) => field.name);
  const columns = names.map((name) => table.getChild(name));
  const row = (at: number): Row =>
    Object.fromEntries(names.map((name, column) => [name, plain(columns[column]?.get(at))]));
  return { names, rows: Array.from({ length: table.numRows }, (_, at) => row(at)) };
}

/** The sums of CPU time by all else: of what SQL has in two rows, columns may have one. */
function summed(rows: readonly Row[]): unknown[] {
  const sums = new Map<string, { ran_ns: number; switches: number }>();
  for (const { ran_ns, switches, ...by } of rows) {
    const key = JSON.stringify(by);
    const sum = sums.get(key) ?? { ran_ns: 0, switches: 0 };
    sums.set(key, { ran_ns: sum.ran_ns + Number(ran_ns), switches: sum.switches + Number(switches) });
  }
  return [...sums].filter(([, { ran_ns, switches }]) => ran_ns + switches > 0).sort();
}

/** Which rank a thread waited at where it changed is judged by SQL alone: columns have the one from before. */
function beforeJudging(row: Row): Row {
  if (row.rank_source !== 'judged') return row;
  return { ...row, rank: row.rank_before, rank_source: 'before' };
}

describeReal('columns and SQL have the same rows', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each(RECORDINGS.map((scenario) => [scenario.join(' '), scenario] as const))(
    'of %s',
    async (name, scenario) => {
      const isReal = REAL.includes(name);
      const trace = isReal ? join(REAL_FOLDER, name) : writeTrace(join(folder, `${name}.etl`), ...scenario);
      const columns = join(folder, name);
      const outline = writeColumns(trace, columns);
      const { id } = await host.open(trace, {});
      const query = makeQuery((sql) => host.query(id, sql));
      const { tables, close } = openColumns(columns);
      try {
        const [ofColumns, ofSql] = [tables, sqlTables(query)].map((of) =>
          readRows(of, 'etw_cpu_time', CPU_TIME),
        );
        expect(summed((await ofColumns) ?? [])).toEqual(summed((await ofSql) ?? []));
        for (const [table, order] of Object.entries(TABLES) as [keyof typeof TABLES, string][]) {
          if (table === 'etw_cpu_time') continue;
          const { names, rows } = readColumns(join(columns, `${table}.arrow`));
          const sql = `SELECT ${names.join(', ')} FROM ${table} ORDER BY ${order}`;
          const result = decodeQueryResult(await host.query(id, sql));
          const expected = [...result.rows()].map(beforeJudging);
          expectSameRows(rows, expected, names, table);
          const read = await readRows(tables, table, names);
          expect(read.length, table).toBe(rows.length);
          if (!inSameOrder(read, rows, names))
            expect(textsOf(read, names), table).toEqual(textsOf(rows, names));
          const bySql = (await readRows(sqlTables(query), table, names)).map(beforeJudging);
          expectSameRows(bySql, expected, names, table);
        }
        for (const [table, names] of [
          ['etw_sample', SAMPLE],
          ['etw_pmc_sample', PMC_SAMPLE],
          ['etw_event_stack', EVENT_STACK],
        ] as const) {
          const rows = await readStacked(tables, table, names);
          expect(rows, table).toEqual(await readStacked(sqlTables(query), table, names));
        }
        for (const table of IO_TABLES) {
          const { names } = readColumns(join(columns, `${table}.arrow`));
          const named = names
            .filter((each) => each !== 'callsite')
            .map((each) => (each === 'file' ? 'path' : each));
          const [ofColumns, ofSql] = [tables, sqlTables(query)].map(async (of) =>
            (await readStacked(of, table, named)).map((row) => JSON.stringify(row)).sort(),
          );
          expect(await ofColumns, table).toEqual(await ofSql);
        }
        const { id: without } = await host.open(outline, {});
        const ofOutline = makeQuery((sql) => host.query(without, sql));
        expect([...(await ofOutline(KEYS)).rows()]).toEqual([...(await query(KEYS)).rows()]);
        expect([...(await ofOutline(NO_STACKS)).rows()]).toEqual([{ count: 0 }]);
        await host.close(without);
      } finally {
        close();
        await host.close(id);
      }
    },
  );
});
