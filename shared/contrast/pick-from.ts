import type { CountedLengths } from '../causes/index.ts';
import type { Episode, EpisodeParts, PartBlocks } from './episode-parts.ts';

/** So many episodes of each group are divided at most. */
const MOST = 100;

/** Lengths of episodes in ns, both ends inside. */
export interface Lengths {
  readonly from_ns: number;
  readonly to_ns: number;
}

/** A group of episodes. */
export interface Group {
  /** How many there are. */
  readonly count: number;
  /** All of them; of many some that lie evenly in their order. */
  readonly picked: readonly Episode[];
}

/** The episodes of two groups of lengths. A block that has some of both is read once. */
export async function pickFrom(
  parts: EpisodeParts,
  [one, other]: readonly [Lengths, Lengths],
): Promise<[Group, Group]> {
  const [first, second] = [new Pick(parts.lengths, one), new Pick(parts.lengths, other)];
  await parts.read(blocksOf(first, second), (part, block, lengths, episodeAt) => {
    for (const pick of [first, second])
      pick.found.push(...pick.rowsOf(part, block, lengths).flatMap((row) => episodeAt(row) ?? []));
  });
  return [
    { count: first.count, picked: first.found },
    { count: second.count, picked: second.found },
  ];
}

/** The blocks in which some of either group is picked. */
function blocksOf({ wanted: one }: Pick, { wanted: other }: Pick): PartBlocks {
  const ascending = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);
  const blocksIn = (part: number) => [...(one.get(part)?.keys() ?? []), ...(other.get(part)?.keys() ?? [])];
  const parts = ascending([...one.keys(), ...other.keys()]);
  return new Map(parts.map((part) => [part, ascending(blocksIn(part))]));
}

/** What is picked of a group. */
class Pick {
  readonly #of: Lengths;
  readonly count: number;
  /** By part and block: which of its episodes of the group are picked, counted from 0. */
  readonly wanted = new Map<number, Map<number, number[]>>();
  readonly found: Episode[] = [];
  /** The block that is looked at, how many of its episodes of the group came already, and how many of these are picked. */
  #part = -1;
  #block = -1;
  #before = 0;
  #picked = 0;

  constructor(parts: readonly CountedLengths[], of: Lengths) {
    this.#of = of;
    const { from_ns, to_ns } = of;
    const counts = parts.map((part) => part.within(from_ns, to_ns));
    this.count = counts.reduce((sum, count) => sum + count, 0);
    const step = Math.max(1, this.count / MOST);
    let [before, nth] = [0, 0];
    for (const [part, count] of counts.entries()) {
      const own: number[] = [];
      for (; nth < MOST && Math.ceil(nth * step) < before + count; nth++)
        own.push(Math.ceil(nth * step) - before);
      const lengths = parts[part];
      if (own.length > 0 && lengths !== undefined)
        this.wanted.set(part, inBlocks(own, lengths.withinByBlock(from_ns, to_ns)));
      before += count;
    }
  }

  /** Those of the next rows of a block that are picked. */
  rowsOf(part: number, block: number, lengths: Float64Array): number[] {
    const { from_ns, to_ns } = this.#of;
    const wanted = this.wanted.get(part)?.get(block) ?? [];
    const rows: number[] = [];
    if (part !== this.#part || block !== this.#block)
      [this.#part, this.#block, this.#before, this.#picked] = [part, block, 0, 0];
    let [before, picked] = [this.#before, this.#picked];
    for (let row = 0; row < lengths.length && picked < wanted.length; row++) {
      const ns = lengths[row] ?? NaN;
      if (!(ns >= from_ns && ns <= to_ns)) continue;
      if (before++ !== wanted[picked]) continue;
      rows.push(row);
      picked++;
    }
    [this.#before, this.#picked] = [before, picked];
    return rows;
  }
}

/** Places in a part, which ascend, by the block in which each is; `counts` says how many places each block has. */
function inBlocks(places: readonly number[], counts: Uint32Array): Map<number, number[]> {
  const found = new Map<number, number[]>();
  let [block, before] = [0, 0];
  for (const place of places) {
    for (; block < counts.length && place >= before + (counts[block] ?? 0); block++)
      before += counts[block] ?? 0;
    const own = found.get(block) ?? [];
    found.set(block, own);
    own.push(place - before);
  }
  return found;
}
