import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeQueryResult, makeQuery } from '../../shared/engine/index.ts';
import { sqlTables, type TableName } from '../../shared/tables/index.ts';
import type { TraceId } from './api.ts';
import { openColumns, REAL, REAL_FOLDER, SCENARIOS } from './testing/columns.ts';
import {
  columnsOf,
  columnsOfResult,
  expectSameInAnyOrder,
  expectSameResults,
  expectSameRows,
  rowCountOf,
  type Columns,
} from './testing/compared-rows.ts';
import { STATEMENTS } from './testing/outline-statements.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';
import { StackedColumns } from './testing/stacked-columns.ts';

/** Tables whose keys are numbered apart in columns and in SQL: they are compared by what the keys stand for. */
type StackTable =
  | 'etw_callsite'
  | 'etw_event_stack'
  | 'etw_frame'
  | 'etw_frame_function'
  | 'etw_mapping'
  | 'etw_pmc_sample'
  | 'etw_sample';

/** Tables with keys of files, where SQL has paths, and with calls that are numbered apart. */
const IO_TABLES = ['etw_disk_io', 'etw_file_io', 'etw_hard_fault'] as const;
type IoTable = 'etw_file' | (typeof IO_TABLES)[number];

/** Events, parted: what SQL makes of them is compared. */
type EventTable = 'etw_event_shape' | 'etw_generic_event';

/** SQL has no such tables: the context switches of one are compared. The counts of the other are those of waits, which are compared. */
type PartTable = 'etw_run_before' | 'etw_ready_wait_stretch';

/** The other tables that are written as columns, and the order of their rows, in which they are compared fastest. */
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
  etw_run: 'te, ts, cpu',
  etw_run_counter: 'te, counter',
  etw_service: 'ts, name',
  etw_ready_wait: 'te, ts, utid',
  etw_ready_wait_long: 'te, ts, utid',
  etw_ready_wait_rest: 'utid',
  etw_interrupt: 'ts + dur, cpu',
  etw_loss: 'ts, message',
  etw_cpu_time: 'ts, utid',
};
/** Scenarios with what others have none of: exits in a queue, I/O, locks of windows. */
const MORE: typeof SCENARIOS = [['exit-storm'], ['slow-disk', '--count', '5000'], ['user-lock']];
const RECORDINGS = [...SCENARIOS, ...MORE, ...REAL.map((file) => [file])];
/** By what rows of `etw_cpu_time` are told apart, and what they sum up. */
const CPU_TIME_KEYS = ['ts', 'dur', 'utid', 'priority', 'rank'];
const CPU_TIME_SUMS = ['ran_ns', 'switches'];
/** What has the same keys in the outline as in the whole trace. */
const KEYS =
  'SELECT utid, tid, upid, pid, thread.name FROM thread LEFT JOIN process USING (upid) ORDER BY utid';
/** What an outline has none of, since columns have it. */
const NO_STACKS =
  'SELECT (SELECT count(*) FROM perf_sample) + (SELECT count(*) FROM stack_profile_callsite) AS count';
const SAMPLE = ['ts', 'cpu', 'utid', 'priority', 'rank', 'in_dpc', 'in_isr', 'is_kernel', 'weight_ns'];
const PMC_SAMPLE = ['ts', 'cpu', 'utid', 'source', 'source_name', 'is_kernel', 'weight_events'];
const EVENT_STACK = ['ts', 'cpu', 'utid', 'kind', 'event_id'];

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'boolean') return Number(value);
  return value ?? null;
}

/** A table as a file has it, read by a library that is not ours. */
function readFile(path: string): { readonly names: readonly string[]; readonly columns: Columns } {
  const table = tableFromIPC(readFileSync(path));
  const names = table.schema.fields.map((field) => field.name);
  const valuesOf = (name: string) => Array.from(table.getChild(name) ?? [], plain);
  return { names, columns: new Map(names.map((name) => [name, valuesOf(name)])) };
}

/** The sums of CPU time by all else, sorted: of what SQL has in two rows, columns may have one. */
function summed(columns: Columns): readonly string[] {
  const keys = CPU_TIME_KEYS.map((name) => columns.get(name) ?? []);
  const [ran_ns, switches] = CPU_TIME_SUMS.map((name) => columns.get(name) ?? []);
  const sums = new Map<string, { ran_ns: number; switches: number }>();
  for (let row = 0; row < rowCountOf(columns); row++) {
    const key = keys.map((values) => String(values[row])).join();
    let sum = sums.get(key);
    if (sum === undefined) sums.set(key, (sum = { ran_ns: 0, switches: 0 }));
    sum.ran_ns += Number(ran_ns?.[row]);
    sum.switches += Number(switches?.[row]);
  }
  const texts: string[] = [];
  for (const [key, sum] of sums)
    if (sum.ran_ns + sum.switches > 0) texts.push(`${key}: ${sum.ran_ns} ${sum.switches}`);
  return texts.sort();
}

/** Which rank a thread waited at where it changed is judged by SQL alone: columns have the one from before. */
function beforeJudging(columns: Map<string, unknown[]>): Columns {
  const [sources, ranks, before] = ['rank_source', 'rank', 'rank_before'].map((name) => columns.get(name));
  sources?.forEach((source, row) => {
    if (source !== 'judged' || ranks === undefined) return;
    ranks[row] = plain(before?.[row]);
    sources[row] = 'before';
  });
  return columns;
}

/** The rows of a result with plain values. */
function plainColumns(bytes: Uint8Array): Map<string, unknown[]> {
  const columns = new Map<string, unknown[]>();
  for (const [name, values] of columnsOfResult(decodeQueryResult(bytes)))
    columns.set(name, values.map(plain));
  return columns;
}

describeReal('without the whole trace', () => {
  const caches = temporaryFolder();
  const folder = temporaryFolder();
  const whole = startHost(join(caches, 'whole'));
  const outline = startHost(join(caches, 'outline'));
  const entriesOf = (id: TraceId) =>
    readdirSync(join(caches, 'outline', 'traces')).filter((entry) => entry.startsWith(id));

  // What follows asks of each trace. It is loaded once, which takes longest.
  describe.each(RECORDINGS.map((scenario) => [scenario.join(' '), scenario] as const))(
    'of %s',
    (name, scenario) => {
      let id: TraceId;
      beforeAll(async () => {
        const isReal = REAL.includes(name);
        const path = isReal ? join(REAL_FOLDER, name) : writeTrace(join(folder, `${name}.etl`), ...scenario);
        ({ id } = await whole.open(path, {}));
        await outline.open(path, { columns: true });
      });
      afterAll(async () => {
        await whole.close(id);
        await outline.close(id);
      });

      test('columns have the rows that SQL has', async () => {
        const [entry = ''] = entriesOf(id);
        const files = join(caches, 'outline', 'traces', entry, 'columns');
        const query = makeQuery((sql) => whole.query(id, sql));
        const { tables, close } = openColumns(files);
        try {
          const cpuTime = [...CPU_TIME_KEYS, ...CPU_TIME_SUMS];
          const sums = summed(await columnsOf(tables, 'etw_cpu_time', cpuTime));
          const sumsOfSql = summed(await columnsOf(sqlTables(query), 'etw_cpu_time', cpuTime));
          expectSameRows(new Map([['sum', sums]]), new Map([['sum', sumsOfSql]]), 'etw_cpu_time');
          for (const [table, order] of Object.entries(TABLES) as [keyof typeof TABLES, string][]) {
            if (table === 'etw_cpu_time') continue;
            const { names, columns } = readFile(join(files, `${table}.arrow`));
            const sql = `SELECT ${names.join(', ')} FROM ${table} ORDER BY ${order}`;
            const expected = beforeJudging(plainColumns(await whole.query(id, sql)));
            expectSameInAnyOrder(columns, expected, table);
            expectSameRows(await columnsOf(tables, table, names), columns, table);
            const bySql = beforeJudging(await columnsOf(sqlTables(query), table, names));
            expectSameInAnyOrder(bySql, expected, table);
          }
          const stacked = new StackedColumns();
          const ofSql = sqlTables(query);
          for (const [table, names] of [
            ['etw_sample', SAMPLE],
            ['etw_pmc_sample', PMC_SAMPLE],
            ['etw_event_stack', EVENT_STACK],
          ] as const)
            expectSameRows(
              await stacked.of(tables, table, names),
              await stacked.of(ofSql, table, names),
              table,
            );
          for (const table of IO_TABLES) {
            const { names } = readFile(join(files, `${table}.arrow`));
            const named = names
              .filter((each) => each !== 'callsite')
              .map((each) => (each === 'file' ? 'path' : each));
            expectSameInAnyOrder(
              await stacked.of(tables, table, named),
              await stacked.of(ofSql, table, named),
              table,
            );
          }
        } finally {
          close();
        }
      });

      test('the outline has the same threads and processes, and no stacks', async () => {
        expectSameResults(await outline.queryOutline(id, KEYS), await whole.query(id, KEYS), KEYS);
        const stacks = decodeQueryResult(await outline.queryOutline(id, NO_STACKS));
        expect([...stacks.rows()]).toEqual([{ count: 0 }]);
      });

      test('SQL on the tables of etw gives the same', async () => {
        for (const sql of STATEMENTS)
          expectSameResults(await outline.query(id, sql), await whole.query(id, sql), sql);
        expect(entriesOf(id).map((entry) => entry.endsWith('-outline'))).toEqual([true]);
      });
    },
  );
});
