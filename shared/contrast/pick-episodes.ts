import { LengthCounts, nearestRank, type EpisodeKind } from '../causes/index.ts';
import { keepLast, type Query } from '../engine/index.ts';
import type { Stretch } from '../tables/index.ts';
import { episodeParts, type EpisodeParts } from './episode-parts.ts';
import { pickFrom, type Group, type Lengths } from './pick-from.ts';

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
  // Who compares other groups of the same episodes does not wait for their lengths again.
  const parts = await keepParts(query, `${kind} ${range.start} ${range.end}`, () =>
    episodeParts(query, range, kind),
  );
  const lengths = new LengthCounts(parts.lengths);
  const { count } = lengths;
  const [p50_ns, p95_ns] = [lengths.at(nearestRank(count, 0.5)), lengths.at(nearestRank(count, 0.95))];
  // Where all are alike, p50 is p95: then there is nothing to compare.
  const [slow, ordinary] = await pickFrom(parts, [
    asked.slow ?? { from_ns: p95_ns + 1, to_ns: Infinity },
    asked.ordinary ?? { from_ns: 0, to_ns: p50_ns },
  ]);
  return { count, p50_ns, p95_ns, slow, ordinary };
}

const keepParts = keepLast<EpisodeParts>();
