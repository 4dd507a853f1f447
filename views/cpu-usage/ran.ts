import { visitRan } from '../../shared/cpu-sum/visit-ran.ts';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import { dataOf, grown, type Batch, type Bounds, type Stretch } from '../../shared/tables/index.ts';
import type { Buckets } from '../kit/index.ts';
import { rankPriority, type RanColumns } from './sum-groups.ts';

/** What was read last, by trace: another grouping or filter needs no more. */
const keepRan = keepLast<RanColumns>();

/** What was summed last of other ranks, by trace. */
const otherRanks = new WeakMap<Query, { readonly key: string; readonly sum_ns: number }>();

/** CPU time in buckets by thread, priority and rank. */
export function loadRan(query: Query, buckets: Buckets): Promise<RanColumns> {
  return keepRan(query, buckets.edges.join(' '), async () => {
    const ran = new Growing();
    await visitRan(dataOf(query).tables, buckets, (bucket, utid, priority, rank, ran_ns) => {
      if (ran_ns > 0) ran.add(bucket, utid, rankPriority(rank, priority), ran_ns);
    });
    return ran.columns();
  });
}

/** What {@link otherRankBefore} gave last, if that was for the same range; null otherwise. */
export function knownOtherRank(query: Query, bounds: Bounds): number | null {
  const known = otherRanks.get(query);
  return known?.key === keyOf(bounds) ? known.sum_ns : null;
}

/** CPU time in a range of runs whose thread had another rank at the end of its run before, in ns. */
export async function otherRankBefore(query: Query, bounds: Bounds): Promise<number> {
  const known = knownOtherRank(query, bounds);
  if (known !== null) return known;
  const stretch = { start: bounds.range_start, end: bounds.range_end };
  let sum_ns = 0;
  for await (const batch of dataOf(query).tables.batches('etw_run', OTHER_RANK_COLUMNS, stretch))
    sum_ns += otherRankIn(batch, stretch);
  otherRanks.set(query, { key: keyOf(bounds), sum_ns });
  return sum_ns;
}

function keyOf({ range_start, range_end }: Bounds): string {
  return `${range_start} ${range_end}`;
}

const OTHER_RANK_COLUMNS = ['ts', 'te', 'rank', 'rank_before'] as const;

function otherRankIn(
  { rowCount, columns }: Batch<(typeof OTHER_RANK_COLUMNS)[number]>,
  { start, end }: Stretch,
): number {
  const { ts, te, rank, rank_before } = columns;
  let sum_ns = 0;
  for (let row = 0; row < rowCount; row++) {
    if (rank.values[row] === rank_before.values[row]) continue;
    if (rank.present?.[row] === 0 || rank_before.present?.[row] === 0) continue;
    sum_ns += Math.max(0, Math.min(te.values[row] ?? 0, end) - Math.max(ts.values[row] ?? 0, start));
  }
  return sum_ns;
}

/** Rows in typed arrays that grow. */
class Growing {
  #count = 0;
  #bucket = new Uint16Array(1 << 12);
  #utid = new Int32Array(1 << 12);
  #rank_priority = new Uint16Array(1 << 12);
  #ran_ns = new Float64Array(1 << 12);

  add(bucket: number, utid: number, rank_priority: number, ran_ns: number): void {
    if (this.#count === this.#ran_ns.length) this.#grow();
    this.#bucket[this.#count] = bucket;
    this.#utid[this.#count] = utid;
    this.#rank_priority[this.#count] = rank_priority;
    this.#ran_ns[this.#count] = ran_ns;
    this.#count++;
  }

  columns(): RanColumns {
    return {
      bucket: this.#bucket.subarray(0, this.#count),
      utid: this.#utid.subarray(0, this.#count),
      rank_priority: this.#rank_priority.subarray(0, this.#count),
      ran_ns: this.#ran_ns.subarray(0, this.#count),
    };
  }

  #grow(): void {
    const length = 2 * this.#ran_ns.length;
    this.#bucket = grown(this.#bucket, new Uint16Array(length));
    this.#utid = grown(this.#utid, new Int32Array(length));
    this.#rank_priority = grown(this.#rank_priority, new Uint16Array(length));
    this.#ran_ns = grown(this.#ran_ns, new Float64Array(length));
  }
}
