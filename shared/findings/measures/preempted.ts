import { walkBack, type WalksBack } from '../../causes/index.ts';
import { dataOf, grown, numberAt, PairNumbers, type Batch } from '../../tables/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../why-late/columns/index.ts';
import type { Measure } from './index.ts';

/** What is summed of two threads, where one lost time to the other. Ranks and priorities are of the longest wait. */
const SUMS = [
  ...(['ready_ns', 'times', 'longest_ts', 'longest_ns'] as const),
  ...(['rank', 'priority', 'by_rank', 'by_priority'] as const),
  // Its first loss, by the place of the run that took the CPU.
  'first',
] as const;
type Sums = Record<(typeof SUMS)[number], Float64Array>;

/** Pairs of threads: one took the CPU of the other. The other was ready from then until it ran again. */
export const preempted: Measure = {
  columns: [
    ...['utid', 'by_utid', 'ts', 'dur', 'ready_ns', 'times'],
    ...['rank', 'priority', 'by_rank', 'by_priority'],
  ],
  async rows({ query, whole }, _, most) {
    const losses = new Losses(await loadJudgedRanks(query));
    const { tables } = dataOf(query);
    const columns = { runs: ['cpu', 'rank', 'priority'], waits: ['te', 'rank', 'priority'] } as const;
    // What lies at its ends counts, too.
    const range = { start: whole.start - 1, end: whole.end + 1 };
    await walkBack(tables, { range, cause: 'preempted', ...columns }, losses);
    return losses.rows(most);
  },
};

type RunColumns = 'ts' | 'te' | 'utid' | 'cpu' | 'rank' | 'priority';
type WaitColumns = 'ts' | 'te' | 'utid' | 'rank' | 'priority';

/** Sums, on a walk back, the losses by pairs of threads: one took the CPU of the other. */
class Losses implements WalksBack<RunColumns, WaitColumns> {
  readonly #numbers = new PairNumbers();
  /** By the number of a pair, in columns: there can be a million. */
  #sums: Sums = sumsOf(1 << 10);
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
    const utid = runs.utid.values[row] ?? 0;
    const te = runs.te.values[row] ?? 0;
    const cpu = runs.cpu.values[row] ?? 0;
    const next = (this.#next[cpu] ??= { ts: NaN, utid: 0, rank: NaN, priority: NaN, place: 0 });
    const wasPutAside = next.ts === te && this.#waits.ts[utid] === te;
    if (wasPutAside && next.utid !== 0 && next.utid !== utid) this.#add(utid, next);
    next.ts = runs.ts.values[row] ?? 0;
    next.utid = utid;
    next.rank = numberAt(runs.rank, row) ?? NaN;
    next.priority = numberAt(runs.priority, row) ?? NaN;
    next.place = --this.#place;
  }

  /** The pairs that lost most, as many as are wanted; of equal ones that which lost first. */
  rows(most: number): number[][] {
    const { ready_ns, first, longest_ts, longest_ns, times, ...of } = this.#sums;
    const pairs = Uint32Array.from({ length: this.#numbers.count }, (_, pair) => pair).sort(
      (a, b) => (ready_ns[b] ?? 0) - (ready_ns[a] ?? 0) || (first[a] ?? 0) - (first[b] ?? 0),
    );
    return Array.from(pairs.subarray(0, most), (pair) => [
      ...[this.#numbers.first(pair), this.#numbers.second(pair)],
      ...[longest_ts, longest_ns, ready_ns, times].map((column) => column[pair] ?? NaN),
      ...[of.rank, of.priority, of.by_rank, of.by_priority].map((column) => column[pair] ?? NaN),
    ]);
  }

  #add(utid: number, by: Next): void {
    const pair = this.#numbers.of(utid, by.utid);
    if (pair >= this.#sums.first.length) this.#sums = sumsOf(2 * pair, this.#sums);
    const sums = this.#sums;
    const ns = (this.#waits.te[utid] ?? 0) - by.ts;
    sums.ready_ns[pair] = (sums.ready_ns[pair] ?? 0) + ns;
    sums.times[pair] = (sums.times[pair] ?? 0) + 1;
    sums.first[pair] = by.place;
    // Of equal ones the first.
    if (ns < (sums.longest_ns[pair] ?? 0)) return;
    sums.longest_ns[pair] = ns;
    sums.longest_ts[pair] = by.ts;
    sums.rank[pair] = this.#judged.of(utid, by.ts)?.rank ?? this.#waits.rank[utid] ?? NaN;
    sums.priority[pair] = this.#waits.priority[utid] ?? NaN;
    sums.by_rank[pair] = by.rank;
    sums.by_priority[pair] = by.priority;
  }
}

/** Room for the sums of so many pairs, with those that are known. */
function sumsOf(pairs: number, known?: Sums): Sums {
  const room = SUMS.map((name) => [name, grown(known?.[name] ?? [], new Float64Array(pairs))]);
  return Object.fromEntries(room) as Sums;
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
