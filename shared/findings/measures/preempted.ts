import { walkBack, type WalksBack } from '../../causes/index.ts';
import { dataOf, grown, numberAt, PairNumbers, type Batch } from '../../tables/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../why-late/columns/index.ts';
import type { Measure } from './index.ts';

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
  /** Its first loss, by the place of the run that took the CPU. */
  first: number;
}

/** Pairs of threads of which one took the CPU of the other, which was ready then until it ran again. */
export const preempted: Measure = {
  columns: [
    ...['utid', 'by_utid', 'ts', 'dur', 'ready_ns', 'times'],
    ...['rank', 'priority', 'by_rank', 'by_priority'],
  ],
  async rows({ query, whole }) {
    const losses = new Losses(await loadJudgedRanks(query));
    const { tables } = dataOf(query);
    const columns = { runs: ['cpu', 'rank', 'priority'], waits: ['rank', 'priority'] } as const;
    // What lies at its ends counts, too.
    const range = { start: whole.start - 1, end: whole.end + 1 };
    await walkBack(tables, { range, cause: 'preempted', ...columns }, losses);
    return losses.pairs
      .sort((a, b) => b.ready_ns - a.ready_ns || a.first - b.first)
      .map((pair) => [
        ...[pair.utid, pair.by_utid, pair.longest_ts, pair.longest_ns, pair.ready_ns, pair.times],
        ...[pair.rank, pair.priority, pair.by_rank, pair.by_priority],
      ]);
  },
};

function none(utid: number, by_utid: number): Taken {
  const counted = { ready_ns: 0, times: 0, longest_ns: -1, longest_ts: 0, first: 0 };
  return { utid, by_utid, ...counted, rank: NaN, priority: NaN, by_rank: NaN, by_priority: NaN };
}

type RunColumns = 'ts' | 'te' | 'utid' | 'cpu' | 'rank' | 'priority';
type WaitColumns = 'ts' | 'te' | 'utid' | 'rank' | 'priority';

/** Sums on a walk back who took the CPU of whom. */
class Losses implements WalksBack<RunColumns, WaitColumns> {
  readonly pairs: Taken[] = [];
  readonly #numbers = new PairNumbers();
  readonly #judged: JudgedRanks;
  /** The wait of each thread that begins next: times, rank and priority. */
  #waits: Record<'ts' | 'te' | 'rank' | 'priority', Float64Array> = waitsOf(1 << 10);
  /** What runs next on each CPU. */
  readonly #next: Next[] = [];
  #place = 0;

  constructor(judged: JudgedRanks) {
    this.#judged = judged;
  }

  wait(waits: Readonly<Record<WaitColumns, Float64Array>>, wait: number): void {
    const utid = waits.utid[wait] ?? 0;
    if (utid >= this.#waits.ts.length) this.#waits = waitsOf(2 * utid, this.#waits);
    const { ts, te, rank, priority } = this.#waits;
    ts[utid] = waits.ts[wait] ?? 0;
    te[utid] = waits.te[wait] ?? 0;
    rank[utid] = waits.rank[wait] ?? NaN;
    priority[utid] = waits.priority[wait] ?? NaN;
  }

  /** The runs of a CPU are in the order of time: who took it from the thread was told before. */
  run(runs: Batch<RunColumns>['columns'], row: number): void {
    const [utid, te, cpu] = [runs.utid.values[row] ?? 0, runs.te.values[row] ?? 0, runs.cpu.values[row] ?? 0];
    const next = (this.#next[cpu] ??= { ts: NaN, utid: 0, rank: NaN, priority: NaN, place: 0 });
    const wasPutAside = next.ts === te && this.#waits.ts[utid] === te;
    if (wasPutAside && next.utid !== 0 && next.utid !== utid) this.#add(utid, next);
    next.ts = runs.ts.values[row] ?? 0;
    next.utid = utid;
    next.rank = numberAt(runs.rank, row) ?? NaN;
    next.priority = numberAt(runs.priority, row) ?? NaN;
    next.place = --this.#place;
  }

  #add(utid: number, by: Next): void {
    const pair = (this.pairs[this.#numbers.of(utid, by.utid)] ??= none(utid, by.utid));
    const ns = (this.#waits.te[utid] ?? 0) - by.ts;
    pair.ready_ns += ns;
    pair.times++;
    pair.first = by.place;
    // Of equal ones the first.
    if (ns < pair.longest_ns) return;
    pair.longest_ns = ns;
    pair.longest_ts = by.ts;
    pair.rank = this.#judged.of(utid, by.ts)?.rank ?? this.#waits.rank[utid] ?? NaN;
    pair.priority = this.#waits.priority[utid] ?? NaN;
    [pair.by_rank, pair.by_priority] = [by.rank, by.priority];
  }
}

/** A run on a CPU. */
interface Next {
  ts: number;
  utid: number;
  rank: number;
  priority: number;
  /** Among all runs: less for an earlier one. */
  place: number;
}

/** Room for the waits of so many threads, with those that are known. */
function waitsOf(threads: number, known?: Record<'ts' | 'te' | 'rank' | 'priority', Float64Array>) {
  const room = (of?: Float64Array) => grown(of ?? [], new Float64Array(threads).fill(NaN));
  const { ts, te, rank, priority } = known ?? {};
  return { ts: room(ts), te: room(te), rank: room(rank), priority: room(priority) };
}
