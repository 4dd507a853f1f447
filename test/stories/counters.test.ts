import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { decodeQueryResult, type Query } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { groupTable } from '../../views/cpu-usage/tables.ts';
import { cpuUsage } from '../../views/cpu-usage/view.ts';
import { threadTable } from '../../views/runaway/tables.ts';
import { runaway } from '../../views/runaway/view.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const MS = 1_000_000;
const START = 1000 * MS;
const whole = { start: START, end: START + 100 * MS };

describeReal.each([
  ['the whole trace', false],
  ['columns', true],
])('hardware counters and QoS levels of context switches, of %s', (_, columns) => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  let rowsOf: (sql: string) => Promise<unknown[][]>;
  let query: Query;
  beforeAll(async () => {
    const trace = await host.open(writeTrace(join(folder, 'counters.etl'), 'counters'), { columns });
    query = hostQuery(host, trace);
    rowsOf = async (sql) =>
      [...decodeQueryResult(await host.query(trace.id, sql)).rows()].map((row) => Object.values(row));
  });

  test('what a counter counted is told of each run', async () => {
    const sql = `SELECT (ts - ${START}) / ${MS}, (te - ${START}) / ${MS}, cpu, tid, counter, c.name, counted
      FROM etw_run_counter AS c JOIN thread USING (utid) ORDER BY te, counter`;
    const [instructions, cycles] = ['InstructionRetired', 'TotalCycles'];
    expect(await rowsOf(sql)).toEqual([
      [10, 20, 0, 2004, 1, instructions, 10_000],
      [10, 20, 0, 2004, 2, cycles, 20_000],
      [12, 30, 1, 2008, 1, instructions, 1000],
      [12, 30, 1, 2008, 2, cycles, 90_000],
      [20, 40, 0, 0, 1, instructions, 100],
      [20, 40, 0, 0, 2, cycles, 500],
      [40, 60, 0, 2004, 1, instructions, 40_000],
      [40, 60, 0, 2004, 2, cycles, 50_000],
    ]);
    expect(await rowsOf('SELECT * FROM etw_counter_source')).toEqual([
      [1, instructions],
      [2, cycles],
    ]);
  });

  test('a run has the QoS levels at its switch-in and at its switch-out', async () => {
    const sql = `SELECT (ts - ${START}) / ${MS}, tid, switch_in_qos, switch_out_qos
      FROM etw_run JOIN thread USING (utid) ORDER BY ts`;
    expect(await rowsOf(sql)).toEqual([
      [10, 2004, 0, 0],
      [12, 2008, 2, 2],
      [20, 0, null, null],
      [30, 0, null, null],
      [40, 2004, 2, 0],
      [60, 0, null, null],
    ]);
  });

  test('*Runaway threads* has a column for each counter', async () => {
    const { columns, rows } = threadTable(await runaway.load(query, readParams(runaway.params, {}), whole));
    expect(columns.map(({ title }) => title).slice(0, 4)).toEqual([
      'Thread',
      'CPU time',
      'InstructionRetired',
      'TotalCycles',
    ]);
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      ['app.exe (tid 2004)', 30 * MS, 50_000, 70_000],
      ['app.exe (tid 2008)', 18 * MS, 1000, 90_000],
    ]);
  });

  test('*CPU usage* has them for what is shown, however it is grouped', async () => {
    const shown = async (given: Readonly<Record<string, unknown>>, range = whole) => {
      const model = await cpuUsage.load(query, readParams(cpuUsage.params, given), range);
      const { columns, rows } = groupTable(model);
      const [first, last] = ['InstructionRetired', 'TotalCycles'].map((name) =>
        columns.findIndex(({ title }) => title === name),
      );
      return rows.map((row) => [row[first ?? 0], row[last ?? 0]]);
    };
    expect(await shown({ by: 'process' })).toEqual([[51_000, 160_000]]);
    expect(await shown({ by: 'thread' })).toEqual([
      [50_000, 70_000],
      [1000, 90_000],
    ]);
    expect(await shown({ by: 'rank-priority' })).toEqual([[51_000, 160_000]]);
    // Of a range, those of the runs that end in it.
    expect(await shown({ by: 'thread' }, { start: START, end: START + 25 * MS })).toEqual([
      [null, null],
      [10_000, 20_000],
    ]);
  });
});
