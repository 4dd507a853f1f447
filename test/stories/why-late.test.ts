import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery, toNumber, type Query, type Row } from '../../shared/engine/index.ts';
import type { Tables } from '../../shared/tables/index.ts';
import {
  beforeWaits,
  estimateWhys,
  interruptsInWindows,
  judgeRanks,
  judgeWaits,
  laneSpans,
  loadMachine,
  openRankCase,
  readWait,
  runsInWindows,
  sumRan,
  type BegunWait,
  type Machine,
  type Wait,
  type Windows,
} from '../../shared/why-late/columns/index.ts';
import boundSql from '../../shared/why-late/bound.sql';
import heldSql from '../../shared/why-late/held.sql';
import { whyLateEstimates, type Held } from '../../shared/why-late/index.ts';
import standingSql from '../../shared/why-late/standing.sql';
import boundsSql from './why-late/bounds.sql';
import chosenSql from './why-late/chosen.sql';
import beforeSql from './why-late/before.sql';
import gapsSql from './why-late/gaps.sql';
import holdsSql from './why-late/holds.sql';
import interruptsSql from './why-late/interrupts.sql';
import ranLanesSql from './why-late/ran-lanes.sql';
import ranRunsSql from './why-late/ran-runs.sql';
import ranSumsSql from './why-late/ran-sums.sql';
import { sweep, type Evidence } from '../../views/ready-latency/sweep.ts';
import { openColumns, SCENARIOS, writeColumns } from '../../app/host/testing/columns.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

/** A trace as SQL tells it, and as its columns and the rest without scheduling do. */
interface BothWays {
  readonly query: Query;
  readonly outline: Query;
  readonly tables: Tables;
}

/** The longest waits, with what the estimate of a wait takes. */
const WAITS = `
  SELECT
    w.ts, w.te, w.dur, w.utid, w.rank, w.priority, w.cpu, w.flags, w.ended, w.last_ready_ts,
    w.flags & 6 > 0 AND w.last_ready_ts IS NULL AS swapped_out,
    EXISTS (SELECT 1 FROM etw_run AS i WHERE i.te = w.te AND +i.cpu = w.cpu AND +i.utid = 0) AS took_idle_cpu
  FROM etw_ready_wait AS w
  ORDER BY w.dur DESC, w.ts
  LIMIT 500`;

async function expectSameEstimates({ query, outline, tables }: BothWays): Promise<void> {
  const rows = [...(await query(WAITS)).rows()];
  const cpus = [...(await query('SELECT cpu_count FROM etw_trace')).rows()];
  const bySql = whyLateEstimates(query);
  await bySql.load(query, rows, Number(cpus[0]?.cpu_count));
  const whys = await estimateWhys({ outline, tables }, rows.map(readWait));
  const told = (why: (row: Row, index: number) => unknown) =>
    rows.map((row, index) => `${Number(row.utid)} ${Number(row.ts)}: ${String(why(row, index))}`);
  expect(told((_, index) => whys[index])).toEqual(told((row) => bySql.of(row)));
}

async function expectSameRanks({ query, outline, tables }: BothWays): Promise<void> {
  const rows = [...(await query('SELECT * FROM etw_ready_wait_rank ORDER BY ts')).rows()];
  const judged = await judgeRanks({ outline, tables });
  const told = judged
    .sort((a, b) => a.ts - b.ts)
    .map((wait) => ({ ...wait, put_aside_better: Number(wait.put_aside_better) }));
  expect(told).toEqual(rows);
  // One by one they are judged as all at once.
  const found = await openRankCase({ outline, tables });
  const alone = [];
  for (const wait of found.doubts.keys()) alone.push(...(await judgeWaits(found, [wait])));
  expect(alone.sort((a, b) => a.ts - b.ts)).toEqual(judged);
}

async function expectSameBefore({ query, tables }: BothWays): Promise<void> {
  const rows = [...(await query(beforeSql)).rows()];
  const waits = rows.map((row): BegunWait => ({
    ts: Number(row.ts),
    te: Number(row.te),
    utid: Number(row.utid),
    cpu: toNumber(row.cpu),
    is_wake: row.cause === 'wake',
    last_switch_out_ts: toNumber(row.last_switch_out_ts),
  }));
  const before = await beforeWaits(tables, waits);
  const told = before.map((of) => ({ ...of, took_idle_cpu: Number(of.took_idle_cpu) }));
  expect(told).toEqual(
    rows.map(({ wait_reason, ready_increment, took_idle_cpu, c_state }) => ({
      wait_reason,
      ready_increment,
      took_idle_cpu,
      c_state,
    })),
  );
}

const byPlace = <S extends { readonly cpu: unknown; readonly ts: unknown }>(spans: readonly S[]): S[] =>
  [...spans].sort((a, b) => Number(a.cpu) - Number(b.cpu) || Number(a.ts) - Number(b.ts));

/** Of some long waits what ran meanwhile. */
async function expectSameMeanwhile(both: BothWays): Promise<void> {
  const rows = [...(await both.query(WAITS)).rows()];
  const machine = await loadMachine(both.outline);
  for (const row of rows.filter((_, index) => index % 50 === 0)) {
    const { tid } =
      [
        ...(await both.query('SELECT tid FROM thread WHERE utid = :utid', { utid: Number(row.utid) })).rows(),
      ][0] ?? {};
    await expectSameSums(both, machine, readWait(row));
    const dur = Number(row.dur);
    const windows = [
      { period_ns: dur, window_ns: dur },
      { period_ns: Math.ceil(dur / 20), window_ns: Math.ceil(dur / 60) },
    ];
    for (const of of windows) await expectSameSweep(both, machine, readWait(row), Number(tid), of);
  }
}

async function expectSameSums({ query, tables }: BothWays, machine: Machine, wait: Wait): Promise<void> {
  const bindings = {
    span_start: wait.ts,
    span_end: wait.te,
    wait_rank: wait.rank,
    wait_priority: wait.priority,
  };
  const sums = [...(await query(`${standingSql}${ranSumsSql}`, bindings)).rows()];
  const key = (sum: object) => JSON.stringify(sum);
  const { sums: ran } = await sumRan(tables, machine, wait);
  expect(new Set(ran.map(key))).toEqual(
    new Set(
      sums.map(({ utid, rank, priority, standing, ran_ns, runs }) =>
        key({ utid, rank, priority, standing, ran_ns, runs }),
      ),
    ),
  );
  const step_ns = Math.max(1, Math.ceil((wait.te - wait.ts) / 30));
  const lanes = await query(`${standingSql}${ranLanesSql}`, { ...bindings, step_ns, every: 1 });
  const spans = await laneSpans(tables, wait, { start: wait.ts, end: wait.te }, { step_ns });
  const told = spans.map(({ cpu, ts, dur, ran_ns, standing, run }) =>
    key({ cpu, ts, dur, ran_ns, standing, rank: run?.rank ?? null, priority: run?.priority ?? null }),
  );
  expect(new Set(told)).toEqual(
    new Set(
      [...lanes.rows()].map(({ cpu, ts, dur, ran_ns, standing, rank, priority }) =>
        key({ cpu, ts, dur, ran_ns, standing, rank, priority }),
      ),
    ),
  );
}

async function expectSameSweep(
  { query, tables }: BothWays,
  machine: Machine,
  wait: Wait,
  wait_tid: number,
  windows: Windows,
): Promise<void> {
  const span = { span_start: wait.ts, span_end: wait.te };
  const ran = await query(`${standingSql}${ranRunsSql}`, {
    ...span,
    ...windows,
    wait_rank: wait.rank,
    wait_priority: wait.priority,
  });
  const interrupts = await query(interruptsSql, { ...span, ...windows });
  const runs = await runsInWindows(tables, wait, windows);
  expect(byPlace(runs)).toEqual(
    byPlace([...ran.rows()].map((row) => ({ ...row }) as unknown as (typeof runs)[0])),
  );
  const chosen = { wait_ts: wait.ts, wait_tid };
  const bySql = {
    runs,
    interrupts: [...interrupts.rows()],
    gaps: [...(await query(gapsSql, span)).rows()],
    held: [...(await query(`${chosenSql}${heldSql}${holdsSql}`, chosen)).rows()].map((row) => ({
      ...row,
      why: row.why as Held,
    })),
    bound: [...(await query(`${chosenSql}${boundSql}${boundsSql}`, chosen)).rows()].map((row) => ({
      ...row,
      cpus: new Set(JSON.parse(String(row.cpus)) as number[]),
    })),
  } as unknown as Evidence;
  const inColumns: Evidence = {
    runs,
    interrupts: await interruptsInWindows(tables, wait, windows),
    gaps: (await sumRan(tables, machine, wait)).gaps,
    held: machine.holdsOf(wait),
    bound: machine.boundsOf(wait),
  };
  const swept = { ts: wait.ts, dur: wait.te - wait.ts, cpu: wait.cpu };
  expect(sweep(swept, machine, inColumns, windows)).toEqual(sweep(swept, machine, bySql, windows));
}

describeReal('the model of the scheduler tells the same from columns and by SQL', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each(SCENARIOS.map((scenario) => [scenario.join(' '), scenario] as const))(
    'of %s',
    async (name, scenario) => {
      const trace = writeTrace(join(folder, `${name}.etl`), ...scenario);
      const outline = writeColumns(trace, join(folder, name));
      const { tables, close } = openColumns(join(folder, name));
      const { id } = await host.open(trace, {});
      const { id: without } = await host.open(outline, {});
      const both = {
        query: makeQuery((sql) => host.query(id, sql)),
        outline: makeQuery((sql) => host.query(without, sql)),
        tables,
      };
      try {
        await expectSameEstimates(both);
        await expectSameRanks(both);
        await expectSameMeanwhile(both);
        await expectSameBefore(both);
      } finally {
        close();
        await host.close(id);
        await host.close(without);
      }
    },
  );
});
