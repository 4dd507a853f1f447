import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const CLOCKS = ['qpc', 'system-time', 'cpu-cycles'] as const;

/** `ts` and `dur` are in ms after the start, which the trace clock has at 1 s. */
const SPAN = '(ts - 1000000000) / 1e6 AS ts, dur / 1e6 AS dur';

describeReal('96 processors in two groups', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const traces: string[] = [];

  beforeAll(async () => {
    for (const clock of CLOCKS) {
      const path = writeTrace(join(folder, `${clock}.etl`), 'many-processors', '--clock', clock);
      traces.push((await host.open(path, {})).id);
    }
  });

  /** The rows of a query, which are the same under all clocks. */
  async function ask(sql: string): Promise<unknown[][]> {
    const answers: unknown[][][] = [];
    for (const id of traces) {
      const result = decodeQueryResult(await host.query(id, sql));
      answers.push([...result.rows()].map((row) => Object.values(row)));
    }
    const [first = [], ...others] = answers;
    for (const other of others) expect(other).toEqual(first);
    return first;
  }

  test('run threads up to the last one', async () => {
    const sql = `SELECT ${SPAN}, cpu, tid, rank, switch_out_state FROM etw_run JOIN etw_thread USING (utid)
      WHERE utid != 0 ORDER BY ts`;
    expect(await ask(sql)).toEqual([
      [10, 5, 95, 2004, 0, 'Waiting'],
      [20, 50, 70, 2008, 0, 'Waiting'],
      [25.001, 54.999, 95, 2004, 0, 'Waiting'],
    ]);
  });

  test('hold up a ready thread by a DPC', async () => {
    const sql = `SELECT ${SPAN}, w.cpu, b.tid FROM etw_ready_wait AS w JOIN etw_thread AS b ON b.utid = waker_utid`;
    expect(await ask(sql)).toEqual([[21, 4.001, 95, 2008]]);
  });

  test('tell DPCs and ISRs, to the tick that their first routine took', async () => {
    const sql = `SELECT (ts - 1000000000) / 100000 / 10.0 AS ts, round(dur / 1e6, 3) AS dur, cpu, kind, vector,
      return_value, round(exclusive_ns / 1e6, 3) AS exclusive FROM etw_interrupt ORDER BY 1`;
    expect(await ask(sql)).toEqual([
      [11, 3, 95, 'dpc', null, null, 2.5],
      [11.5, 0.5, 95, 'isr', 81, 1, 0.5],
      [20, 5, 95, 'dpc', null, null, 5],
    ]);
  });

  test('tell changes of priority, affinity and processor', async () => {
    const threads = 'JOIN etw_thread USING (utid)';
    expect(
      await ask(`SELECT (c.ts - 1000000000) / 1e6 AS ts, t.tid, c.kind, c.old, c.new, b.tid AS by_tid
        FROM etw_priority_change AS c JOIN etw_thread AS t USING (utid) LEFT JOIN etw_thread AS b ON b.utid = c.by_utid`),
    ).toEqual([
      [30, 2004, 'priority', 9, 12, 2008],
      [32, 2008, 'starvation_boost', 9, null, null],
    ]);
    expect(
      await ask(`SELECT ${SPAN}, tid, cpu_group, printf('%x', mask) AS mask FROM etw_thread_affinity ${threads}
        ORDER BY ts, tid`),
    ).toEqual([
      [0, 5, 2004, null, 'ffffffffffff'],
      [0, 99.992, 2008, null, 'ffffffffffff'],
      [5, 94.992, 2004, 1, '800000000000'],
    ]);
    expect(
      await ask(`SELECT tid, from_cpu, to_cpu, old_ideal_cpu FROM etw_thread_migration ${threads}`),
    ).toEqual([[2008, 70, 3, 70]]);
  });

  test('tell when the machine slept', async () => {
    expect(await ask(`SELECT ${SPAN}, counter_ns / 1e6 AS counter, open_end FROM etw_suspend`)).toEqual([
      [40, 20, 20, 0],
    ]);
  });

  test('keep start and boot in UTC', async () => {
    const sql =
      'SELECT start_utc_ns, boot_utc_ns, utc_offset_minutes, cpu_count, dur_ns / 1e6 FROM etw_trace';
    expect(await ask(sql)).toEqual([
      [1_655_526_400_000_000_000n, 1_655_426_400_000_000_000n, 120, 96, 99.992],
    ]);
  });

  test('name the clock', async () => {
    const clocks: unknown[] = [];
    for (const id of traces) {
      const result = decodeQueryResult(await host.query(id, 'SELECT clock, clock_hz FROM etw_trace'));
      clocks.push(...result.rows());
    }
    expect(clocks).toEqual([
      { clock: 'qpc', clock_hz: 10_000_000 },
      { clock: 'system_time', clock_hz: 10_000_000 },
      { clock: 'cpu_cycles', clock_hz: 2_600_000_000 },
    ]);
  });
});
