import type { Query } from '../../engine/index.ts';
import { dataOf, numberAt, PairNumbers } from '../../tables/index.ts';
import { loadJudgedRanks } from '../../why-late/columns/index.ts';
import type { Measure } from './index.ts';

const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'rank', 'priority'] as const;
const RUN_COLUMNS = ['ts', 'te', 'cpu', 'utid', 'rank', 'priority'] as const;
/** In place of a wait. */
const NONE = -1;

/** What one thread lost to another one that took its CPU. */
interface Taken {
  readonly utid: number;
  readonly by_utid: number;
  ready_ns: number;
  times: number;
  longest_ns: number;
  longest_ts: number;
  /** Of the longest wait. */
  rank: number;
  priority: number;
  by_rank: number;
  by_priority: number;
}

/** Pairs of threads of which one took the CPU of the other, which was ready then until it ran again. */
export const preempted: Measure = {
  columns: [
    ...['utid', 'by_utid', 'ts', 'dur', 'ready_ns', 'times'],
    ...['rank', 'priority', 'by_rank', 'by_priority'],
  ],
  async rows({ query }) {
    const waits = await preemptedWaits(query);
    const numbers = new PairNumbers();
    const pairs: Taken[] = [];
    /** By CPU: the wait that began as its last run ended; `NONE` where there is none. */
    const begunOn: number[] = [];
    for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_run', RUN_COLUMNS)) {
      for (let row = 0; row < rowCount; row++) {
        const [ts, te] = [columns.ts.values[row] ?? 0, columns.te.values[row] ?? 0];
        const [cpu, utid] = [columns.cpu.values[row] ?? 0, columns.utid.values[row] ?? 0];
        const begun = begunOn[cpu] ?? NONE;
        begunOn[cpu] = waits.beginning(utid, te);
        // The runs of a CPU are in the order of time: who took it from the thread comes next.
        if (begun === NONE || waits.ts[begun] !== ts || utid === 0 || waits.utid[begun] === utid) continue;
        const lost = waits.utid[begun] ?? 0;
        const pair = (pairs[numbers.of(lost, utid)] ??= none(lost, utid));
        const ns = (waits.te[begun] ?? 0) - ts;
        pair.ready_ns += ns;
        pair.times++;
        if (ns < pair.longest_ns || (ns === pair.longest_ns && ts > pair.longest_ts)) continue;
        pair.longest_ns = ns;
        pair.longest_ts = ts;
        pair.rank = waits.rank[begun] ?? NaN;
        pair.priority = waits.priority[begun] ?? NaN;
        pair.by_rank = numberAt(columns.rank, row) ?? NaN;
        pair.by_priority = numberAt(columns.priority, row) ?? NaN;
      }
    }
    return pairs
      .sort((a, b) => b.ready_ns - a.ready_ns)
      .map((pair) => [
        ...[pair.utid, pair.by_utid, pair.longest_ts, pair.longest_ns, pair.ready_ns, pair.times],
        ...[pair.rank, pair.priority, pair.by_rank, pair.by_priority],
      ]);
  },
};

function none(utid: number, by_utid: number): Taken {
  const counted = { ready_ns: 0, times: 0, longest_ns: -1, longest_ts: 0 };
  return { utid, by_utid, ...counted, rank: NaN, priority: NaN, by_rank: NaN, by_priority: NaN };
}

/** The waits of threads that were put aside, in columns of equal length. */
interface PreemptedWaits {
  readonly ts: readonly number[];
  readonly te: readonly number[];
  readonly utid: readonly number[];
  /** NaN: not recorded. */
  readonly rank: readonly number[];
  readonly priority: readonly number[];
  /** The wait of a thread that began at a time, or `NONE`. Asked of each thread in the order of time. */
  beginning(utid: number, ts: number): number;
}

async function preemptedWaits(query: Query): Promise<PreemptedWaits> {
  const judged = await loadJudgedRanks(query);
  const [ts, te, utid]: [number[], number[], number[]] = [[], [], []];
  const [rank, priority]: [number[], number[]] = [[], []];
  /** Of each thread its waits, and how many of these began before what is asked for. */
  const threads: ({ readonly own: number[]; past: number } | undefined)[] = [];
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_ready_wait', WAIT_COLUMNS)) {
    const isPreempted = columns.cause.texts?.indexOf('preempted') ?? -1;
    for (let row = 0; row < rowCount; row++) {
      if (columns.cause.values[row] !== isPreempted) continue;
      const [begin, thread] = [columns.ts.values[row] ?? 0, columns.utid.values[row] ?? 0];
      const of = (threads[thread] ??= { own: [], past: 0 });
      of.own.push(ts.length);
      ts.push(begin);
      te.push(columns.te.values[row] ?? 0);
      utid.push(thread);
      rank.push(judged.of(thread, begin)?.rank ?? numberAt(columns.rank, row) ?? NaN);
      priority.push(numberAt(columns.priority, row) ?? NaN);
    }
  }
  const beginning = (thread: number, at: number): number => {
    const of = threads[thread];
    if (of === undefined) return NONE;
    while (of.past < of.own.length && (ts[of.own[of.past] ?? 0] ?? 0) < at) of.past++;
    const wait = of.own[of.past] ?? NONE;
    return ts[wait] === at ? wait : NONE;
  };
  return { ts, te, utid, rank, priority, beginning };
}
