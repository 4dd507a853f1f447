import { visitRan } from '../../shared/cpu-sum/visit-ran.ts';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import {
  dataOf,
  doublesAt,
  grown,
  type Batch,
  type Bounds,
  type NumberValues,
  type Stretch,
} from '../../shared/tables/index.ts';
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
  for await (const batch of dataOf(query).tables.batches('etw_run', OTHER_RANK_COLUMNS, stretch, 'few'))
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
  const { rank, rank_before } = columns;
  const [begins, ends] = [doublesAt(columns.ts), doublesAt(columns.te)];
  let sum_ns = 0;
  for (const row of differing(rank.values, rank_before.values, rowCount)) {
    if (rank.present?.[row] === 0 || rank_before.present?.[row] === 0) continue;
    sum_ns += Math.max(0, Math.min(ends(row), end) - Math.max(begins(row), start));
  }
  return sum_ns;
}

/** The rows in which two columns differ: few of millions. */
function differing(some: NumberValues, others: NumberValues, rowCount: number): readonly number[] {
  const rows: number[] = [];
  const [words, otherWords] = [inWords(some), inWords(others)];
  const wordCount = Math.min(words.length, otherWords.length);
  for (let word = 0; word < wordCount; word++)
    if (words[word] !== otherWords[word])
      for (let row = word * WORD_BYTES; row < (word + 1) * WORD_BYTES; row++)
        if (some[row] !== others[row]) rows.push(row);
  for (let row = wordCount * WORD_BYTES; row < rowCount; row++) if (some[row] !== others[row]) rows.push(row);
  return rows;
}

const WORD_BYTES = 4;

/** A column of bytes as whole words, of four rows each; none of another column. */
function inWords({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT }: NumberValues): Uint32Array {
  const isInWords = BYTES_PER_ELEMENT === 1 && byteOffset % WORD_BYTES === 0;
  return isInWords
    ? new Uint32Array(buffer, byteOffset, Math.floor(byteLength / WORD_BYTES))
    : new Uint32Array(0);
}

/** Rows in typed arrays that grow: one for what a thread ran in a bucket, unless its rank or priority changed meanwhile. */
class Growing {
  #count = 0;
  #bucket = new Uint16Array(1 << 12);
  #utid = new Int32Array(1 << 12);
  #rank_priority = new Uint16Array(1 << 12);
  #ran_ns = new Float64Array(1 << 12);
  /** By thread: one more than its last row; 0 where it has none. */
  #last = new Int32Array(1 << 12);

  add(bucket: number, utid: number, rank_priority: number, ran_ns: number): void {
    if (utid >= this.#last.length) this.#last = grown(this.#last, new Int32Array(2 * utid));
    const last = (this.#last[utid] ?? 0) - 1;
    if (last >= 0 && this.#bucket[last] === bucket && this.#rank_priority[last] === rank_priority) {
      this.#ran_ns[last] = (this.#ran_ns[last] ?? 0) + ran_ns;
      return;
    }
    if (this.#count === this.#ran_ns.length) this.#grow();
    this.#bucket[this.#count] = bucket;
    this.#utid[this.#count] = utid;
    this.#rank_priority[this.#count] = rank_priority;
    this.#ran_ns[this.#count] = ran_ns;
    this.#last[utid] = ++this.#count;
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
