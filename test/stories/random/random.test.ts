import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery, type Query } from '../../../shared/engine/index.ts';
import { readParams, type ParamSpecs, type TimeRange, type View } from '../../../shared/view/index.ts';
import { contextSwitches } from '../../../views/context-switches/view.ts';
import { cpuUsage } from '../../../views/cpu-usage/view.ts';
import { frozenProcesses } from '../../../views/frozen-processes/view.ts';
import { freezesOf } from '../../../views/frozen-processes/model.ts';
import { processes } from '../../../views/processes/view.ts';
import { rankHistory } from '../../../views/rank-history/view.ts';
import { loadChosen } from '../../../views/ready-latency/load-recorded.ts';
import { readyLatency } from '../../../views/ready-latency/view.ts';
import { releaseMoments } from '../../../views/release-moments/view.ts';
import { threads } from '../../../views/threads/view.ts';
import { wakeChain } from '../../../views/wake-chain/view.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../../app/host/testing/real.ts';
import * as expected from './expected.ts';
import { asTold, readTruth, START, sumBy, type RandomTruth, type RunTruth } from './truth.ts';

/** Seeds of the machines: `OUTRANK_SEEDS=31-2000 npx vitest run test/stories/random` tries others. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1-12').split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** How many waits of each machine are judged one by one: those of equal distances by length. */
const JUDGED = 6;

/** What a wait can go to while its thread ran and the run's events were lost. The others are about the thread, not about the CPUs. */
const NO_REASONS = new Set(['not_recorded', 'asleep', 'frozen', 'swapped_out']);

type Load = <P extends ParamSpecs, M>(
  view: View<P, M>,
  given?: Readonly<Record<string, unknown>>,
  range?: TimeRange,
) => Promise<M>;

interface Machine {
  readonly load: Load;
  readonly query: Query;
  readonly truth: RandomTruth;
  readonly whole: TimeRange;
}

describeReal('a machine that does random things', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function withMachine(
    seed: number,
    check: (machine: Machine) => Promise<void>,
    ...options: string[]
  ): Promise<void> {
    const truthPath = join(folder, `${seed}.json`);
    const form = [
      ...(seed % 2 === 0 ? ['--compressed'] : []),
      ...(seed % 3 === 0 ? ['--merged'] : []),
      ...(seed % 5 === 0 ? ['--pointer', '4'] : []),
    ];
    const scenario = ['random', '--seed', String(seed), '--truth', truthPath, ...form, ...options];
    const path = writeTrace(join(folder, `${seed}.etl`), ...scenario);
    const { id } = await host.open(path, {});
    try {
      const query = makeQuery((sql) => host.query(id, sql));
      const known = readTruth(truthPath);
      const truth = asTold(known, await loadPids(query));
      expectPidsOf(truth, known);
      const whole = { start: START, end: truth.end_ns };
      const load: Load = (view, given = {}, range = whole) =>
        view.load(query, readParams(view.params, given), range);
      await check({ load, query, truth, whole });
    } finally {
      await host.close(id);
      rmSync(path);
    }
  }

  test.each(seeds)('is seen as it was: seed %i', { timeout: 120_000 }, async (seed) => {
    await withMachine(seed, async (machine) => {
      await checkCpus(machine);
      await checkCounters(machine);
      await checkLives(machine);
      await checkCpuUsage(machine);
      await checkSwitches(machine);
      await checkRates(machine);
      await checkThreads(machine);
      await checkWaits(machine);
      await checkFilters(machine);
      await checkVerdicts(machine);
      await checkChain(machine);
      await checkMoments(machine);
      await checkRanks(machine);
      await checkFreezes(machine);
    });
  });

  test.each(seeds.filter((seed) => seed % 3 === 1))(
    'is seen as it was, from a file in disorder: seed %i',
    { timeout: 120_000 },
    async (seed) => {
      await withMachine(
        seed,
        async (machine) => {
          expect(
            await machine.query('SELECT message FROM etw_loss').then((rows) => [...rows.rows()]),
          ).toEqual([]);
          await checkLives(machine);
          await checkCpuUsage(machine);
          await checkSwitches(machine);
          await checkThreads(machine);
          await checkWaits(machine);
          await checkChain(machine);
        },
        '--disorder',
      );
    },
  );

  test.each(seeds.filter((seed) => seed % 4 === 1))(
    'is seen as it was, as far as compact context switches tell: seed %i',
    { timeout: 120_000 },
    async (seed) => {
      await withMachine(
        seed,
        async (told) => {
          const machine = { ...told, truth: expected.withoutLastRuns(told.truth) };
          await checkLives(machine);
          await checkCpuUsage(machine, TOLD_BY_COMPACT_SWITCHES);
          await checkSwitches(machine);
          await checkRates(machine);
          await checkThreads(machine);
          // Of switches and wakes in one tick it is not known which came first.
          if (!machine.truth.shares_ticks) await checkWakes(machine);
        },
        '--compact',
      );
    },
  );

  test.each(seeds.filter((seed) => seed % 6 === 2))(
    'adds up although buffers were lost: seed %i',
    { timeout: 120_000 },
    async (seed) => {
      await withMachine(
        seed,
        async (machine) => {
          await checkSums(machine);
          await checkClaims(machine);
          await checkGaps(machine);
          await checkIdle(machine);
        },
        '--lose-buffers',
        '--events',
        '1500',
      );
    },
  );
});

/** The processes of threads, by their ids. */
async function loadPids(query: Query): Promise<ReadonlyMap<number, number | null>> {
  const rows = await query('SELECT tid, pid FROM etw_thread');
  return new Map([...rows.rows()].map(({ tid, pid }) => [Number(tid), pid === null ? null : Number(pid)]));
}

/** The process of a thread that nothing describes is not known, or it is the true one. */
function expectPidsOf(truth: RandomTruth, known: RandomTruth): void {
  const wrong = truth.threads.filter(({ pid }, index) => pid !== null && pid !== known.threads[index]?.pid);
  expect(wrong).toEqual([]);
}

/** What holds whatever is missing. */
async function checkSums(machine: Machine): Promise<void> {
  const { load, query, truth, whole } = machine;
  const firstRuns = firstRunsOf(await loadRuns(machine));
  const toTicks = expected.ticksOf(truth);
  expect(truth.lost_buffers).toBeGreaterThan(0);
  const { totals } = await load(cpuUsage);
  const { capacity_ns, shown_ns, hidden_ns, idle_ns, unknown_ns } = totals;
  expect(shown_ns + hidden_ns + idle_ns + unknown_ns).toBe(capacity_ns);
  expect([shown_ns, hidden_ns, idle_ns, unknown_ns].filter((ns) => ns < 0)).toEqual([]);
  const { waits } = await load(readyLatency, { limit: 100_000 });
  const outside = waits.filter(
    ({ ts, dur }) => dur < 0 || ts < whole.start || toTicks(ts + dur) > toTicks(whole.end),
  );
  expect(outside).toEqual([]);
  for (const { ts, tid, dur } of waits.slice(0, JUDGED)) {
    const meanwhile = await loadChosen(query, { wait_ts: ts, wait_tid: tid }, whole);
    const shares = meanwhile?.verdict.shares ?? [];
    expect(shares.reduce((sum, { ns }) => sum + ns, 0)).toBe(dur);
    expect(shares.filter(({ ns }) => ns <= 0)).toEqual([]);
    // Two waits may be joined into one: while the thread ran, nothing kept it from running. Before the first run that is told for a
    // CPU, it is not known whether anything is lost.
    const own = truth.runs.filter(
      (run) => run.tid === tid && run.start_ns >= (firstRuns.get(run.cpu) ?? Infinity),
    );
    const ran_ns = own.reduce((sum, run) => sum + expected.ranWithin(run, { start: ts, end: ts + dur }), 0);
    const open = shares.filter(({ why }) => NO_REASONS.has(why)).reduce((sum, { ns }) => sum + ns, 0);
    expect(toTicks(open)).toBeGreaterThanOrEqual(toTicks(ran_ns - expected.slackOf(truth)) - 2);
  }
}

/** Where events are missing, nothing is told as certain; elsewhere it is what happened. */
async function checkClaims(machine: Machine): Promise<void> {
  const { truth, whole } = machine;
  const toTicks = expected.ticksOf(truth);
  const losses = await loadLosses(machine);
  const wrong = (await loadRuns(machine)).filter(({ cpu, tid, start, end }) => {
    const runs = truth.runs.filter((run) => run.cpu === cpu && run.tid === tid);
    const first_ns = Math.min(...truth.runs.filter((run) => run.cpu === cpu).map(({ start_ns }) => start_ns));
    const known = [
      // What ran when the recording began is no run of the truth.
      { start: START, end: first_ns },
      ...runs.map(({ start_ns, end_ns }) => ({ start: start_ns, end: end_ns ?? whole.end })),
      ...losses.filter((loss) => loss.cpu === null || loss.cpu === cpu),
    ].sort((a, b) => a.start - b.start);
    let until = start;
    for (const span of known) if (span.start <= until + truth.tick_ns) until = Math.max(until, span.end);
    return toTicks(until) < toTicks(end);
  });
  expect(wrong).toEqual([]);
}

/** What each hardware counter counted, and in how many runs, by thread. */
async function checkCounters({ query, truth }: Machine): Promise<void> {
  const seen = await query(
    `SELECT t.tid, c.counter, COUNT(*) AS runs, SUM(c.counted) AS counted
     FROM etw_run_counter AS c JOIN thread AS t USING (utid) GROUP BY t.tid, c.counter`,
  );
  const known = truth.runs.flatMap(({ tid, counted }) =>
    (counted ?? []).map((value, index) => ({ key: `${tid} ${index + 1}`, value })),
  );
  const rows = [...seen.rows()].map((row) => ({ key: `${Number(row.tid)} ${Number(row.counter)}`, row }));
  const keyOf = ({ key }: { readonly key: string }) => key;
  expect({
    runs: sumBy(rows, keyOf, ({ row }) => Number(row.runs)),
    counted: sumBy(rows, keyOf, ({ row }) => Number(row.counted)),
  }).toEqual({ runs: sumBy(known, keyOf, () => 1), counted: sumBy(known, keyOf, ({ value }) => value) });
}

/** Where each CPU is in the machine's groups, and which one in its group a thread had best run on. */
async function checkCpus({ query, truth }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const isTold = truth.tells_places || truth.places.every(({ group }) => group === 0);
  const cpus = await query('SELECT cpu, cpu_group, number FROM etw_cpu ORDER BY cpu');
  expect([...cpus.rows()]).toEqual(
    truth.places.map(({ group, number }, cpu) => ({
      cpu,
      cpu_group: isTold ? group : null,
      number: isTold ? number : null,
    })),
  );
  const ideal = await query(
    'SELECT i.ts, t.tid, t.pid, i.ideal_cpu FROM etw_thread_ideal_cpu AS i JOIN etw_thread AS t USING (utid) ORDER BY i.ts',
  );
  const byOut = (a: { out: number; tid: unknown }, b: { out: number; tid: unknown }) =>
    a.out - b.out || Number(a.tid) - Number(b.tid);
  expect(
    [...ideal.rows()]
      .map(({ ts, tid, pid, ideal_cpu }) => ({ out: toTicks(Number(ts)), tid, pid, ideal_cpu }))
      .sort(byOut),
  ).toEqual(
    truth.ideal_cpus
      .map(({ out_ns, tid, pid, ideal_cpu }) => ({ out: toTicks(out_ns), tid, pid, ideal_cpu }))
      .sort(byOut),
  );
}

/** If any run of a CPU is told, each switch that is not told was in a gap of that CPU. */
async function checkGaps(machine: Machine): Promise<void> {
  const { truth } = machine;
  const losses = await loadLosses(machine);
  const runs = await loadRuns(machine);
  const near_ns = 2 * truth.tick_ns;
  const silent = [...firstRunsOf(runs).keys()].flatMap((cpu) => {
    const own = <Of extends { readonly cpu: number | null }>(all: readonly Of[]) =>
      all.filter((one) => one.cpu === cpu);
    const told = own(runs).flatMap(({ start, end }) => [start, end]);
    const gaps = own(losses);
    return own(truth.runs).filter(
      ({ start_ns }) =>
        !told.some((ts) => Math.abs(ts - start_ns) <= near_ns) &&
        !gaps.some(({ start, end }) => start - near_ns <= start_ns && start_ns <= end + near_ns),
    );
  });
  expect(silent).toEqual([]);
}

/** A CPU was idle where the trace tells that: not where events are missing, and everywhere else. */
async function checkIdle(machine: Machine): Promise<void> {
  const { truth } = machine;
  const losses = await loadLosses(machine);
  const runs = await loadRuns(machine);
  const idleOf = (spans: readonly (TimeRange & { readonly cpu: number })[]) =>
    sumBy(
      spans,
      ({ cpu }) => `${cpu}`,
      ({ start, end }) => end - start,
    );
  const known = [...firstRunsOf(runs)].flatMap(([cpu, since]) => {
    const own = { cpu, losses: losses.filter((loss) => loss.cpu === cpu) };
    return expected.knownIdle(truth, own, since).map((span) => ({ ...span, cpu }));
  });
  const slack_ns = truth.tick_ns * losses.length;
  expectSums(truth, idleOf(runs.filter(({ tid }) => tid === 0)), idleOf(known), slack_ns);
  const { totals } = await machine.load(cpuUsage);
  expectSums(truth, { idle_ns: totals.idle_ns }, { idle_ns: sum(idleOf(known)) }, slack_ns);
}

const sum = (parts: Readonly<Record<string, number>>) =>
  Object.values(parts).reduce((all, one) => all + one, 0);

type Told = TimeRange & { readonly cpu: number; readonly tid: number };

/** When the first run that is told for each CPU begins; `runs` are in order of time. */
function firstRunsOf(runs: readonly Told[]): ReadonlyMap<number, number> {
  return new Map([...runs].reverse().map(({ cpu, start }) => [cpu, start]));
}

async function loadRuns({ query }: Machine): Promise<readonly Told[]> {
  const told = await query(
    'SELECT r.ts, r.te, r.cpu, t.tid FROM etw_run AS r JOIN thread AS t USING (utid) ORDER BY r.ts',
  );
  return [...told.rows()].map((run) => ({
    cpu: Number(run.cpu),
    tid: Number(run.tid),
    start: Number(run.ts),
    end: Number(run.te),
  }));
}

async function loadLosses({ query }: Machine): Promise<readonly (TimeRange & { cpu: number | null })[]> {
  const lost = await query('SELECT ts, ts + dur AS te, cpu FROM etw_loss');
  return [...lost.rows()].map(({ ts, te, cpu }) => ({
    start: Number(ts),
    end: Number(te),
    cpu: cpu === null ? null : Number(cpu),
  }));
}

async function checkLives({ load, truth }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const { processes: lives } = await load(processes);
  const byTime = (
    a: { create_ts: number | null; pid: number },
    b: { create_ts: number | null; pid: number },
  ) => (a.create_ts ?? 0) - (b.create_ts ?? 0) || a.pid - b.pid;
  // Of the recorder's own process no more than its id is known, by the events that it wrote.
  const seen = lives.filter(({ pid, name }) => pid !== 0 && name !== `pid ${pid}`);
  expect(
    seen
      .map(({ pid, name, create_ts, exit_ts }) => ({
        pid,
        name,
        create_ts: toTicks(create_ts),
        exit_ts: toTicks(exit_ts),
      }))
      .sort(byTime),
  ).toEqual(
    truth.processes
      .map(({ pid, image, life }) => ({
        pid,
        name: image,
        create_ts: toTicks(life.start_ns),
        exit_ts: toTicks(life.end_ns),
      }))
      .sort(byTime),
  );
}

/** By what CPU time is grouped, and what a run has of it. */
const GROUPS: readonly (readonly [string, (run: RunTruth) => string])[] = [
  ['process', ({ pid }) => `${pid}`],
  ['thread', ({ tid }) => `${tid}`],
  ['priority', ({ priority }) => `${priority}`],
  ['rank-priority', ({ rank, priority }) => `${rank} ${priority}`],
];

/** Those whose runs do not need the rank or the priority at the switch-in. */
const TOLD_BY_COMPACT_SWITCHES = GROUPS.slice(0, 2);

async function checkCpuUsage({ load, truth, whole }: Machine, groups = GROUPS): Promise<void> {
  const third = Math.floor((whole.end - whole.start) / 3);
  const [a, b] = [whole.start + third, whole.start + 2 * third + 77];
  const ranges = [whole, { start: whole.start, end: a }, { start: a, end: b }, { start: b, end: whole.end }];
  for (const [by, keyOf] of groups) {
    for (const range of ranges) {
      const model = await load(cpuUsage, { by, top: 64 }, range);
      const keyOfGroup = (group: (typeof model.groups)[number]) =>
        by === 'process'
          ? `${group.pid}`
          : by === 'thread'
            ? `${group.tid}`
            : by === 'priority'
              ? `${group.priority}`
              : `${group.rank} ${group.priority}`;
      expectSums(
        truth,
        sumBy(model.groups, keyOfGroup, ({ ran_ns }) => ran_ns),
        expected.cpuTimes(truth, range, keyOf),
      );
      const idle_ns = truth.runs
        .filter(({ tid }) => tid === 0)
        .reduce((sum, run) => sum + expected.ranWithin(run, range), 0);
      const shown_ns = truth.runs
        .filter(expected.isBusy)
        .reduce((sum, run) => sum + expected.ranWithin(run, range), 0);
      const capacity_ns = truth.cpu_count * (range.end - range.start);
      const unknown_ns = capacity_ns - idle_ns - shown_ns;
      expectSums(truth, model.totals, { capacity_ns, shown_ns, hidden_ns: 0, idle_ns, unknown_ns });
      const buckets = model.edges.slice(1).map((end, index) => ({ start: model.edges[index] ?? 0, end }));
      const total = (bucket: number) =>
        model.series.reduce((sum, { ran_ns }) => sum + (ran_ns[bucket] ?? 0), 0);
      const ran = (bucket: TimeRange) =>
        truth.runs.filter(expected.isBusy).reduce((sum, run) => sum + expected.ranWithin(run, bucket), 0);
      expectSums(truth, byNumber(buckets.map((_, bucket) => total(bucket))), byNumber(buckets.map(ran)));
    }
  }
}

function expectSums<Key extends string>(
  truth: RandomTruth,
  seen: Readonly<Record<Key, number>>,
  known: Readonly<Record<Key, number>>,
  slack_ns = 0,
): void {
  expect(expected.settled(truth, seen, known, slack_ns)).toEqual(known);
}

const byNumber = (values: readonly number[]): Record<string, number> => Object.fromEntries(values.entries());

async function checkSwitches({ load, truth, whole }: Machine): Promise<void> {
  const middle = Math.floor((whole.start + whole.end) / 2);
  for (const range of [whole, { start: whole.start, end: middle }, { start: middle, end: whole.end }]) {
    const by = async (
      grouping: string,
      keyOf: (group: { pid: number | null; tid: number | null; cpu: number | null }) => string,
    ) => {
      const { groups } = await load(contextSwitches, { by: grouping }, range);
      return sumBy(groups, keyOf, ({ switches }) => switches);
    };
    const busy = { ...truth, runs: truth.runs.filter(expected.isBusy) };
    expect(await by('thread', ({ tid }) => `${tid}`)).toEqual(
      expected.switches(busy, range, ({ tid }) => `${tid}`),
    );
    expect(await by('process', ({ pid }) => `${pid}`)).toEqual(
      expected.switches(busy, range, ({ pid }) => `${pid}`),
    );
    expect(await by('cpu', ({ cpu }) => `${cpu}`)).toEqual(
      expected.switches(truth, range, ({ cpu }) => `${cpu}`),
    );
  }
}

/** What is drawn over time: each context switch in one bucket. */
async function checkRates({ load, truth, whole }: Machine): Promise<void> {
  const { edges, switches, to_idle } = await load(contextSwitches);
  const bucketsOf = (runs: readonly RunTruth[]) =>
    edges.slice(1).map((end, index) => {
      const start = edges[index] ?? whole.start;
      return runs.filter(({ start_ns }) => start_ns >= start && start_ns < end).length;
    });
  expect({ switches, to_idle }).toEqual({
    switches: bucketsOf(truth.runs),
    to_idle: bucketsOf(truth.runs.filter((run) => !expected.isBusy(run))),
  });
}

async function checkThreads({ load, truth }: Machine): Promise<void> {
  const { processes: seen } = await load(threads);
  expect(
    seen
      .filter(({ pid }) => pid !== 0 && truth.processes.some((process) => process.pid === pid))
      .map(({ pid, created, ended, at_start, at_end }) => ({ pid, created, ended, at_start, at_end }))
      .sort(byPidAndCounts),
  ).toEqual(expected.threadCounts(truth).sort(byPidAndCounts));
}

/** Several lives of a process id may have threads. */
function byPidAndCounts(a: expected.ThreadCounts, b: expected.ThreadCounts): number {
  return a.pid - b.pid || a.at_start - b.at_start || a.created - b.created || a.ended - b.ended;
}

/** Filters let each wait and each run through exactly once. */
async function checkFilters({ load, truth }: Machine): Promise<void> {
  const { total } = await load(readyLatency);
  const known = expected.listedWaits(truth);
  const filters = {
    rank: known.map(({ rank }) => rank),
    priority: known.map(({ priority }) => priority),
    thread: known.map(({ tid }) => String(tid)),
  };
  for (const [name, values] of Object.entries<readonly (string | number | null)[]>(filters)) {
    const counts = sumBy(values, String, () => 1);
    const seen: Record<string, number> = {};
    for (const value of new Set(values)) {
      if (value === null) continue;
      seen[String(value)] = (await load(readyLatency, { [name]: value, limit: 1 })).total.count;
    }
    expect({ name, ...seen }).toEqual({ name, ...without(counts, 'null') });
  }
  const names = new Set(truth.processes.map(({ image }) => image));
  const byName: number[] = [];
  for (const process of names) byName.push((await load(readyLatency, { process, limit: 1 })).total.count);
  const ofNone = known.filter(({ pid }) => pid === null).length;
  expect(byName.reduce((sum, count) => sum + count, ofNone)).toBe(total.count);
  const whole = (await load(cpuUsage)).totals;
  const shown = async (filter: Readonly<Record<string, number>>) =>
    (await load(cpuUsage, filter)).totals.shown_ns;
  const split = 8;
  expect((await shown({ priority_max: split })) + (await shown({ priority_min: split + 1 }))).toBe(
    whole.shown_ns,
  );
  const ranks = sumBy(
    truth.runs.filter((run) => expected.isBusy(run) && run.rank !== null),
    ({ rank }) => `${rank}`,
    (run) => expected.ranWithin(run, { start: START, end: truth.end_ns }),
  );
  const byRank: Record<string, number> = {};
  for (const rank of Object.keys(ranks)) byRank[rank] = await shown({ rank: Number(rank) });
  expectSums(truth, byRank, ranks);
}

function without(counts: Readonly<Record<string, number>>, key: string): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([name]) => name !== key));
}

async function checkWaits({ load, truth }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const { waits, total } = await load(readyLatency, { limit: 100_000 });
  const known = expected.listedWaits(truth);
  const seen = waits
    .map((wait) => {
      const { ended, cause, tid, pid, cpu, rank, priority, readied_by } = wait;
      const waker = /\(tid (\d+)[,)]/.exec(readied_by ?? '')?.[1];
      return {
        ready: toTicks(wait.ts),
        dur: toTicks(wait.dur),
        ended,
        cause,
        tid,
        pid,
        cpu,
        rank,
        priority,
        readied_by: waker === undefined ? readied_by : Number(waker),
        blocked: wait.waited_since_start ? null : toTicks(wait.waited_ns),
      };
    })
    .sort(expected.byTime);
  expect(seen).toEqual(known);
  expect({ count: total.count, sum_ns: total.sum_ns }).toEqual({
    count: known.length,
    sum_ns: waits.reduce((sum, { dur }) => sum + dur, 0),
  });
  const causes: number[] = [];
  for (const cause of ['wake', 'preempted']) causes.push((await load(readyLatency, { cause })).total.count);
  expect(causes.reduce((sum, count) => sum + count, 0)).toBe(known.length);
}

/** Waits that a wake began: what compact context switches say about waits. */
async function checkWakes({ load, truth }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const { waits } = await load(readyLatency, { limit: 100_000 });
  const seen = waits.map(({ ts, dur, ended, cause, tid, pid, cpu, rank }) => {
    return { ready: toTicks(ts), dur: toTicks(dur), ended, cause, tid, pid, cpu, rank };
  });
  const known = expected.listedWaits(truth).filter(({ cause }) => cause === 'wake');
  expect(seen.sort(expected.byTime)).toEqual(
    known.map(({ ready, dur, ended, cause, tid, pid, cpu }) => {
      return { ready, dur, ended, cause, tid, pid, cpu, rank: null };
    }),
  );
}

async function checkVerdicts({ load, query, truth, whole }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const { waits } = await load(readyLatency, { limit: 100_000 });
  const byLength = [...truth.waits].sort(
    (a, b) => (b.switch_in_ns ?? truth.end_ns) - b.ready_ns - ((a.switch_in_ns ?? truth.end_ns) - a.ready_ns),
  );
  const step = Math.max(1, Math.floor(byLength.length / JUDGED));
  const chosen = byLength.filter((_, index) => index % step === 0);
  for (const wait of chosen) {
    const until_ns = wait.switch_in_ns ?? truth.end_ns;
    const listed = waits.find(
      ({ ts, dur, tid }) =>
        tid === wait.tid &&
        toTicks(ts) === toTicks(wait.ready_ns) &&
        toTicks(dur) === toTicks(until_ns - wait.ready_ns),
    );
    const chosenWait = { wait_ts: listed?.ts ?? NaN, wait_tid: wait.tid };
    const meanwhile = listed === undefined ? null : await loadChosen(query, chosenWait, whole);
    const shares = meanwhile?.verdict.shares ?? [];
    const inTicks = (parts: readonly (readonly [string, number])[]) =>
      sumBy(
        parts,
        ([why]) => why,
        ([, ns]) => toTicks(ns),
      );
    expect({ wait, shares: inTicks(shares.map(({ why, ns }) => [why, ns])) }).toEqual({
      wait,
      shares: inTicks(Object.entries(wait.shares_ns)),
    });
    expect(shares.reduce((sum, { ns }) => sum + ns, 0)).toBe(listed?.dur);
  }
}

async function checkChain({ load, truth }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const { links, stop } = await load(wakeChain, { depth: 1000 });
  const known = expected.wakeChain(truth);
  expect({
    links: links.map(({ tid, switch_in_ts, until_ts, ready_ts, ran_ns, runs }) => ({
      tid,
      switch_in: toTicks(switch_in_ts),
      until: toTicks(until_ts),
      ready: toTicks(ready_ts),
      ran: toTicks(ran_ns),
      runs,
    })),
    reason: stop?.reason,
  }).toEqual({ links: known?.links ?? [], reason: known?.reason });
}

async function checkMoments({ load, truth }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const { moments, waits } = await load(releaseMoments, { at_least_ms: 0, limit: 5000 });
  const inTime = [...moments].sort((a, b) => a.ts - b.ts);
  const begins = inTime.map(({ ts }) => toTicks(ts));
  const ended = sumBy(
    inTime,
    ({ ts }) => String(toTicks(ts)),
    ({ waited_sum_ns }) => waited_sum_ns,
  );
  expectSums(truth, ended, expected.endedWaiting(truth, begins));
  expect(Math.max(0, ...moments.map(({ dur }) => dur))).toBeLessThanOrEqual(1e6);
  expect(waits).toBe(truth.waits.filter(({ switch_in_ns }) => switch_in_ns !== null).length);
}

async function checkRanks({ load, truth }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const { lanes } = await load(rankHistory, { lanes: 500, limit: 10_000 });
  const seen = lanes
    .map(({ tid, pid, spans }) => ({
      tid,
      pid,
      spans: spans
        .map(({ ts, dur, rank }) => ({ ts: toTicks(ts), dur: toTicks(dur), rank }))
        .filter(({ dur }) => dur > 0),
    }))
    .sort((a, b) => a.tid - b.tid || (a.spans[0]?.ts ?? 0) - (b.spans[0]?.ts ?? 0));
  expect(seen).toEqual(expected.rankSpans(truth));
}

async function checkFreezes({ load, truth }: Machine): Promise<void> {
  const toTicks = expected.ticksOf(truth);
  const seen = freezesOf(await load(frozenProcesses, { limit: 10_000 }))
    .filter(({ dur }) => toTicks(dur) > 0)
    .sort((a, b) => toTicks(a.ts) - toTicks(b.ts) || a.pid - b.pid);
  const known = expected.freezes(truth);
  expect(seen.map(({ pid, ts, dur }) => ({ pid, ts: toTicks(ts), dur: toTicks(dur) }))).toEqual(
    known.map(({ pid, ts, dur }) => ({ pid, ts, dur })),
  );
  const ran = (freezes: readonly { readonly ran_ns: number | null }[]) =>
    byNumber(freezes.map(({ ran_ns }) => ran_ns ?? NaN));
  expectSums(truth, ran(seen), ran(known));
}
