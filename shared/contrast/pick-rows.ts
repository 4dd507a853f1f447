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

/** The rows of the episodes of some lengths; NaN is the length of none. */
export function pickRows(lengths: Float64Array, { from_ns, to_ns }: Lengths): GroupRows {
  const counts = new Uint32Array(Math.ceil(lengths.length / BLOCK));
  let count = 0;
  for (let block = 0; block < counts.length; block++) {
    let inBlock = 0;
    const end = Math.min(lengths.length, BLOCK * (block + 1));
    for (let row = BLOCK * block; row < end; row++) {
      const ns = lengths[row] ?? NaN;
      // Which it is, is chance for half of them: to add takes less than to go one way or the other.
      inBlock += Number(ns >= from_ns) & Number(ns <= to_ns);
    }
    counts[block] = inBlock;
    count += inBlock;
  }
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
