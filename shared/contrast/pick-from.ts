import type { CountedLengths } from '../causes/index.ts';
import type { Episode, EpisodeParts } from './episode-parts.ts';

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

/** The episodes of two groups of lengths. A part that has some of both is read once. */
export async function pickFrom(
  parts: EpisodeParts,
  [one, other]: readonly [Lengths, Lengths],
): Promise<[Group, Group]> {
  const picks = [new Pick(parts.lengths, one), new Pick(parts.lengths, other)] as const;
  const wanted = new Set(picks.flatMap((pick) => [...pick.wanted.keys()]));
  await parts.read(wanted, (part, lengths, episodeAt) => {
    for (const pick of picks)
      pick.found.push(...pick.rowsOf(part, lengths).flatMap((row) => episodeAt(row) ?? []));
    return picks.some((pick) => pick.wantsMoreOf(part));
  });
  const [first, second] = picks;
  return [
    { count: first.count, picked: first.found },
    { count: second.count, picked: second.found },
  ];
}

/** What is picked of a group. */
class Pick {
  readonly #of: Lengths;
  readonly count: number;
  /** By part: which of its episodes of the group are picked, counted from 0. */
  readonly wanted = new Map<number, number[]>();
  readonly found: Episode[] = [];
  /** The part that is looked at, how many of its episodes of the group came already, and how many of these are picked. */
  #part = -1;
  #before = 0;
  #picked = 0;

  constructor(parts: readonly CountedLengths[], of: Lengths) {
    this.#of = of;
    const counts = parts.map((part) => part.within(of.from_ns, of.to_ns));
    this.count = counts.reduce((sum, count) => sum + count, 0);
    const step = Math.max(1, this.count / MOST);
    let [before, nth] = [0, 0];
    for (const [part, count] of counts.entries()) {
      const own: number[] = [];
      for (; nth < MOST && Math.ceil(nth * step) < before + count; nth++)
        own.push(Math.ceil(nth * step) - before);
      if (own.length > 0) this.wanted.set(part, own);
      before += count;
    }
  }

  /** Those of the next rows of a part that are picked. */
  rowsOf(part: number, lengths: Float64Array): number[] {
    const { from_ns, to_ns } = this.#of;
    const wanted = this.wanted.get(part) ?? [];
    const rows: number[] = [];
    if (part !== this.#part) [this.#part, this.#before, this.#picked] = [part, 0, 0];
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

  /** Whether episodes of a part are still to be picked, of which the last rows were looked at. */
  wantsMoreOf(part: number): boolean {
    return this.#picked < (this.wanted.get(part)?.length ?? 0);
  }
}
