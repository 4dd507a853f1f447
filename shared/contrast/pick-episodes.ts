import { eachEpisode, type Episode, type EpisodeKind } from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import type { Stretch } from '../tables/index.ts';

/** So many episodes of each group are divided at most. */
const MOST = 100;

/** A group of episodes. */
export interface Group {
  /** How many there are. */
  readonly count: number;
  /** All of them; of many some that lie evenly in the order in which they are told. */
  readonly picked: readonly Episode[];
}

/** Lengths of episodes in ns, both ends inside. */
export interface Lengths {
  readonly from_ns: number;
  readonly to_ns: number;
}

/** Which episodes are compared; null: those above p95, and those up to p50. */
export interface Groups {
  readonly slow: Lengths | null;
  readonly ordinary: Lengths | null;
}

/** The episodes of a kind that are slow, and those that are ordinary. */
export interface Picked {
  readonly count: number;
  /** Where no other lengths are asked for, no ordinary episode is longer, and no slow one is shorter or as long. */
  readonly p50_ns: number;
  readonly p95_ns: number;
  readonly slow: Group;
  readonly ordinary: Group;
}

/** Divides the episodes of a kind into groups of lengths; percentiles are by nearest rank. */
export async function pickEpisodes(
  query: Query,
  range: Stretch,
  kind: EpisodeKind,
  asked: Groups,
): Promise<Picked> {
  const each = (tell: (episode: Episode) => void) =>
    eachEpisode(query, range, [kind], (_, episode) => tell(episode));
  const lengths: number[] = [];
  await each(({ ts, te }) => lengths.push(te - ts));
  const sorted = Float64Array.from(lengths).sort();
  const rank = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
  const [p50_ns, p95_ns] = [rank(0.5), rank(0.95)];
  const within =
    ({ from_ns, to_ns }: Lengths) =>
    (ns: number) =>
      from_ns <= ns && ns <= to_ns;
  // Where all are alike, p50 is p95: then there is nothing to compare.
  const isSlow = asked.slow === null ? (ns: number) => ns > p95_ns : within(asked.slow);
  const isOrdinary = asked.ordinary === null ? (ns: number) => ns <= p50_ns : within(asked.ordinary);
  const pickers = [
    new Picker(isSlow, sorted.filter(isSlow).length),
    new Picker(isOrdinary, sorted.filter(isOrdinary).length),
  ] as const;
  await each((episode) => pickers.forEach((picker) => picker.look(episode)));
  const [slow, ordinary] = pickers;
  return { count: sorted.length, p50_ns, p95_ns, slow, ordinary };
}

class Picker implements Group {
  readonly picked: Episode[] = [];
  readonly count: number;
  readonly #belongs: (ns: number) => boolean;
  #seen = 0;

  constructor(belongs: (ns: number) => boolean, count: number) {
    [this.#belongs, this.count] = [belongs, count];
  }

  look(episode: Episode): void {
    if (!this.#belongs(episode.te - episode.ts)) return;
    const place = Math.floor((this.#seen++ * MOST) / Math.max(MOST, this.count));
    if (place === this.picked.length) this.picked.push(episode);
  }
}
