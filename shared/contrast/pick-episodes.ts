import type { EpisodeKind } from '../causes/index.ts';
import { keepLast, type Query } from '../engine/index.ts';
import type { Stretch } from '../tables/index.ts';
import { episodeRows, type Episode, type EpisodeRows } from './episode-rows.ts';
import { percentiles } from './nearest-ranks.ts';
import { pickRows, type GroupRows, type Lengths } from './pick-rows.ts';

/** A group of episodes. */
export interface Group {
  /** How many there are. */
  readonly count: number;
  /** All of them; of many some that lie evenly in their order. */
  readonly picked: readonly Episode[];
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
  const { rows, count, p50_ns, p95_ns } = await keepMeasured(
    query,
    `${kind} ${range.start} ${range.end}`,
    async () => measured(await episodeRows(query, range, kind)),
  );
  // Where all are alike, p50 is p95: then there is nothing to compare.
  const [slow = NONE, ordinary = NONE] = pickRows(rows.lengths, [
    asked.slow ?? { from_ns: p95_ns + 1, to_ns: Infinity },
    asked.ordinary ?? { from_ns: 0, to_ns: p50_ns },
  ]);
  // Their batches are read once for both.
  const picked = Uint32Array.from(new Set([...slow.picked, ...ordinary.picked])).sort();
  const episodes = new Map((await rows.at(picked)).map((episode, place) => [picked[place], episode]));
  const group = ({ count, picked }: GroupRows): Group => {
    return { count, picked: [...picked].flatMap((row) => episodes.get(row) ?? []) };
  };
  return { count, p50_ns, p95_ns, slow: group(slow), ordinary: group(ordinary) };
}

const NONE: GroupRows = { count: 0, picked: new Uint32Array(0) };

/** Episodes by rows, and how long they are. */
interface Measured {
  readonly rows: EpisodeRows;
  readonly count: number;
  readonly p50_ns: number;
  readonly p95_ns: number;
}

/** Who compares other groups of the same episodes does not wait for their lengths again. */
const keepMeasured = keepLast<Measured>();

function measured(rows: EpisodeRows): Measured {
  const { count, values } = percentiles(rows.lengths, [0.5, 0.95]);
  const [p50_ns = 0, p95_ns = 0] = values;
  return { rows, count, p50_ns, p95_ns };
}
