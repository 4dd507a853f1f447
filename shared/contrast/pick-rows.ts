/** So many episodes of each group are divided at most. */
const MOST = 100;

/** Lengths of episodes in ns, both ends inside. */
export interface Lengths {
  readonly from_ns: number;
  readonly to_ns: number;
}

/** A group of episodes, by rows. */
export interface GroupRows {
  /** How many there are. */
  readonly count: number;
  /** All of them; of many some that lie evenly in their order. */
  readonly picked: Uint32Array;
}

/** So many rows are counted as one, and looked through only where one of them is picked. */
const BLOCK = 1 << 12;

/** The rows of each group of episodes of some lengths; NaN is the length of none. */
export function pickRows(lengths: Float64Array, groups: readonly Lengths[]): GroupRows[] {
  const counts = groups.map(() => new Uint32Array(Math.ceil(lengths.length / BLOCK)));
  // All groups are counted while the rows of a block are in the cache of the processor.
  for (let first = 0; first < lengths.length; first += BLOCK) {
    const block = lengths.subarray(first, first + BLOCK);
    for (const [number, of] of counts.entries())
      of[first / BLOCK] = countOf(block, groups[number] ?? NO_LENGTHS);
  }
  return groups.map((group, number) => picked(lengths, group, counts[number] ?? NO_COUNTS));
}

const NO_LENGTHS: Lengths = { from_ns: Infinity, to_ns: -Infinity };
const NO_COUNTS = new Uint32Array(0);

function countOf(lengths: Float64Array, { from_ns, to_ns }: Lengths): number {
  let count = 0;
  for (let row = 0; row < lengths.length; row++) {
    const ns = lengths[row] ?? NaN;
    // Which it is, is chance for half of them: to add takes less than to go one way or the other.
    count += Number(ns >= from_ns) & Number(ns <= to_ns);
  }
  return count;
}

/** Picks the rows of a group; `counts` says how many each block has. */
function picked(lengths: Float64Array, { from_ns, to_ns }: Lengths, counts: Uint32Array): GroupRows {
  const count = counts.reduce((sum, inBlock) => sum + inBlock, 0);
  const step = Math.max(1, count / MOST);
  const picked = new Uint32Array(Math.min(count, MOST));
  let [block, before, found] = [0, 0, 0];
  while (found < picked.length && block < counts.length) {
    const until = before + (counts[block] ?? 0);
    for (let row = BLOCK * block; before < until && Math.ceil(found * step) < until; row++) {
      const ns = lengths[row] ?? NaN;
      if (ns >= from_ns && ns <= to_ns && before++ === Math.ceil(found * step)) picked[found++] = row;
    }
    [before, block] = [until, block + 1];
  }
  return { count, picked };
}
