import { partitions, type EpisodeKind } from '../causes/index.ts';
import { errorOfDifference, reach, type Estimate } from '../compare/bootstrap.ts';
import type { Query } from '../engine/index.ts';
import { dataOf, type Stretch } from '../tables/index.ts';
import { loadThreadNames, threadLabel } from '../threads/index.ts';
import { pickEpisodes, type Groups } from './pick-episodes.ts';
import type { Group } from './pick-from.ts';
import { sidesOf, type Names, type Side, type SideSums } from './sides.ts';

/** One group of episodes. */
export interface ContrastGroup {
  readonly count: number;
  /** How many of them were divided. */
  readonly divided: number;
  /** How long these took on average. */
  readonly mean_ns: number;
}

/** What slow and ordinary episodes differ in. Times are means of an episode. */
export interface Contrasted {
  readonly side: Side;
  readonly value: string;
  readonly slow_ns: number;
  readonly ordinary_ns: number;
  /** Slow less ordinary, and how far it may be off to both sides: all differences hold together in 95 of 100 cases. */
  readonly difference_ns: number;
  readonly reach_ns: number;
  /** Whether the sign is sure. */
  readonly is_sure: boolean;
  /** The parts of the episodes that have any of it, 0 to 1. */
  readonly slow_share: number;
  readonly ordinary_share: number;
}

/** The slow episodes of a kind against the ordinary ones. */
export interface Contrast {
  readonly kind: EpisodeKind;
  readonly count: number;
  readonly p50_ns: number;
  readonly p95_ns: number;
  readonly slow: ContrastGroup;
  readonly ordinary: ContrastGroup;
  /** Those that are sure first, then by how much they are at least, then by how much they are. */
  readonly rows: readonly Contrasted[];
}

/** Compares the slow episodes of a kind with the ordinary ones: divides both, and says what differs. */
export async function contrastEpisodes(
  query: Query,
  range: Stretch,
  kind: EpisodeKind,
  groups: Groups = { slow: null, ordinary: null },
): Promise<Contrast> {
  const { count, p50_ns, p95_ns, slow, ordinary } = await pickEpisodes(query, range, kind, groups);
  const names = await loadThreadNames(dataOf(query).tables);
  const called: Names = {
    threadOf: (utid) => threadLabel(names.get(utid)),
    programOf: (utid) => names.get(utid)?.process ?? 'unknown process',
  };
  const episodes = [...slow.picked, ...ordinary.picked];
  const divided = await partitions(query, episodes);
  const sums = divided.map((of, place) => sidesOf(of, episodes[place]?.cpu ?? null, called));
  const [ofSlow, ofOrdinary] = [sums.slice(0, slow.picked.length), sums.slice(slow.picked.length)];
  return {
    ...{ kind, count, p50_ns, p95_ns },
    slow: groupOf(slow),
    ordinary: groupOf(ordinary),
    rows: differences(ofSlow, ofOrdinary),
  };
}

function groupOf({ count, picked }: Group): ContrastGroup {
  const sum_ns = picked.reduce((sum, { ts, te }) => sum + te - ts, 0);
  return { count, divided: picked.length, mean_ns: sum_ns / Math.max(1, picked.length) };
}

function differences(slow: readonly SideSums[], ordinary: readonly SideSums[]): Contrasted[] {
  if (slow.length === 0 || ordinary.length === 0) return [];
  const known = new Map([...slow, ...ordinary].flatMap((sums) => [...sums]));
  const rows = [...known].map(([key, { side, value }]): Contrasted => {
    const [ofSlow, ofOrdinary] = [meanOf(slow, key), meanOf(ordinary, key)];
    const difference_ns = ofSlow.value - ofOrdinary.value;
    const reach_ns = reach(errorOfDifference(ofOrdinary, ofSlow), known.size);
    return {
      ...{ side, value, difference_ns, reach_ns },
      slow_ns: ofSlow.value,
      ordinary_ns: ofOrdinary.value,
      is_sure: Math.abs(difference_ns) > reach_ns,
      slow_share: shareOf(slow, key),
      ordinary_share: shareOf(ordinary, key),
    };
  });
  const least = ({ difference_ns, reach_ns }: Contrasted) => Math.max(0, Math.abs(difference_ns) - reach_ns);
  const most = ({ difference_ns }: Contrasted) => Math.abs(difference_ns);
  return rows
    .filter(({ difference_ns }) => difference_ns !== 0)
    .sort((a, b) => least(b) - least(a) || most(b) - most(a));
}

/** The mean of a side's value over episodes, with its standard error. */
function meanOf(episodes: readonly SideSums[], key: string): Estimate {
  const values = episodes.map((sums) => sums.get(key)?.ns ?? 0);
  const count = values.length;
  const value = values.reduce((sum, ns) => sum + ns, 0) / count;
  if (count < 2) return { value, error: Infinity, df: 1 };
  const squares = values.reduce((sum, ns) => sum + (ns - value) ** 2, 0);
  return { value, error: Math.sqrt(squares / (count - 1) / count), df: count - 1 };
}

function shareOf(episodes: readonly SideSums[], key: string): number {
  return episodes.filter((sums) => sums.has(key)).length / episodes.length;
}
