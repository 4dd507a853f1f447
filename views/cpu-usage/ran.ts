import { visitRan } from '../../shared/cpu-sum/visit-ran.ts';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import { dataOf, type Stretch } from '../../shared/tables/index.ts';
import type { Buckets } from '../kit/index.ts';
import { rankPriority, type RanColumns } from './sum-groups.ts';

/** What was read last, by trace: another grouping or filter needs no more. */
const keepRan = keepLast<RanColumns>();
const keepOther = keepLast<number>();

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

/** CPU time in a range of runs whose thread had another rank at the end of its run before, in ns. */
export function otherRankBefore(query: Query, { start, end }: Stretch): Promise<number> {
  return keepOther(query, `${start} ${end}`, async () => {
    let sum_ns = 0;
    const names = ['ts', 'te', 'rank', 'rank_before'] as const;
    const batches = dataOf(query).tables.batches('etw_run', names, { start, end });
    for await (const { rowCount, columns } of batches) {
      const { ts, te, rank, rank_before } = columns;
      for (let row = 0; row < rowCount; row++) {
        if (rank.present?.[row] === 0 || rank_before.present?.[row] === 0) continue;
        if (rank.values[row] === rank_before.values[row]) continue;
        sum_ns += Math.max(0, Math.min(te.values[row] ?? 0, end) - Math.max(ts.values[row] ?? 0, start));
      }
    }
    return sum_ns;
  });
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
    const into = <T extends Uint16Array | Int32Array | Float64Array>(grown: T, of: T): T => {
      grown.set(of);
      return grown;
    };
    this.#bucket = into(new Uint16Array(length), this.#bucket);
    this.#utid = into(new Int32Array(length), this.#utid);
    this.#rank_priority = into(new Uint16Array(length), this.#rank_priority);
    this.#ran_ns = into(new Float64Array(length), this.#ran_ns);
  }
}
