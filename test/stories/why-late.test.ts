import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery, toNumber, type Query } from '../../shared/engine/index.ts';
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
  wasSwappedOut,
  type BegunWait,
  type CpuSpan,
  type Machine,
  type Wait,
  type Windows,
} from '../../shared/why-late/columns/index.ts';
import { noUses, partAt, standingOf, useOf, type MainWhy, type Part } from '../../shared/why-late/index.ts';
import { INSTANTS, whyOfParts } from '../../shared/why-late/why-late.ts';
import atInstantSql from './why-late/at-instant.sql';
import standingSql from './why-late/standing.sql';
import beforeSql from './why-late/before.sql';
import interruptsSql from './why-late/interrupts.sql';
import ranLanesSql from './why-late/ran-lanes.sql';
import ranRunsSql from './why-late/ran-runs.sql';
import ranSumsSql from './why-late/ran-sums.sql';
import { openColumns, SCENARIOS, writeColumns } from '../../app/host/testing/columns.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

/** A trace as SQL tells it, and as its columns and the rest without scheduling do. */
interface BothWays {
  readonly query: Query;
  readonly outline: Query;
  readonly tables: Tables;
}

/** The longest waits. */
const WAITS = `
  SELECT ts, te, dur, utid, rank, priority, cpu, flags, last_ready_ts
  FROM etw_ready_wait
  ORDER BY dur DESC, ts
  LIMIT 500`;

/** Of some long waits the estimate of why the thread ran late. */
async function expectSameEstimates(both: BothWays): Promise<void> {
  const { tables } = both;
  const waits = [...(await both.query(WAITS)).rows()].map(readWait).filter((_, index) => index % 25 === 0);
  const machine = await loadMachine(tables);
  const expected: MainWhy[] = [];
  for (const wait of waits) expected.push(await whyInstantByInstant(both, machine, wait));
  expect(await estimateWhys(tables, waits)).toEqual(expected);
}

async function whyInstantByInstant(
  { query, tables }: BothWays,
  machine: Machine,
  wait: Wait,
): Promise<MainWhy> {
  const { gaps } = await sumRan(tables, machine, wait);
  const dur = wait.te - wait.ts;
  const seen: Part[] = [];
  let took_idle_cpu = false;
  for (let number = 0; number <= INSTANTS; number++) {
    const inside = wait.ts + Math.floor((dur * (2 * number + 1)) / (2 * INSTANTS));
    const at = number === INSTANTS ? wait.te - 1 : inside;
    const isThen = (span: { readonly ts: number; readonly te: number }) => span.ts <= at && span.te > at;
    const bound = machine.boundsOf(wait).find(isThen)?.cpus;
    const [held = null] = machine
      .holdsOf(wait)
      .filter(isThen)
      .map(({ why }) => why)
      .sort();
    const counts = noUses();
    let missing = bound?.size ?? machine.cpu_count;
    for (const row of (await query(atInstantSql, { at })).rows()) {
      const [cpu, utid] = [Number(row.cpu), Number(row.utid)];
      const is_usable = bound?.has(cpu) ?? true;
      if (is_usable) missing--;
      const standing = standingOf(utid, toNumber(row.rank), Number(row.priority), wait.rank, wait.priority);
      const takes_it = cpu === wait.cpu;
      counts[useOf({ standing, is_usable, is_interrupted: row.is_interrupted === 1, takes_it })]++;
      if (number === INSTANTS && takes_it) took_idle_cpu = utid === 0;
    }
    const mayHaveRun = gaps.some((gap) => isThen(gap) && (bound?.has(gap.cpu) ?? true));
    seen.push(partAt(held, mayHaveRun, counts, missing));
  }
  const swapped_out = wasSwappedOut(wait) && wait.last_ready_ts === null;
  return whyOfParts({ dur, ended: wait.cpu !== null, swapped_out, took_idle_cpu }, seen);
}

async function expectSameRanks({ query, tables }: BothWays): Promise<void> {
  const rows = [...(await query('SELECT * FROM etw_ready_wait_rank ORDER BY ts')).rows()];
  const judged = await judgeRanks(tables);
  const told = judged
    .sort((a, b) => a.ts - b.ts)
    .map((wait) => ({ ...wait, put_aside_better: Number(wait.put_aside_better) }));
  expect(told).toEqual(rows);
  // One by one they are judged as all at once.
  const found = await openRankCase(tables);
  const alone = [];
  for (const wait of found.doubts) alone.push(...(await judgeWaits(found, [wait])));
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
  const machine = await loadMachine(both.tables);
  for (const row of rows.filter((_, index) => index % 50 === 0)) {
    await expectSameSums(both, machine, readWait(row));
    const dur = Number(row.dur);
    const windows = [
      { period_ns: dur, window_ns: dur },
      { period_ns: Math.ceil(dur / 20), window_ns: Math.ceil(dur / 60) },
    ];
    for (const of of windows) await expectSameInWindows(both, readWait(row), of);
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

async function expectSameInWindows({ query, tables }: BothWays, wait: Wait, windows: Windows): Promise<void> {
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
  const inColumns = await interruptsInWindows(tables, wait, windows);
  expect(byPlace(inColumns)).toEqual(
    byPlace([...interrupts.rows()].map((row) => ({ ...row }) as unknown as CpuSpan)),
  );
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
