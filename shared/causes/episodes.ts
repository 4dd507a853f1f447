import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, numberAt, type Stretch, type Tables } from '../tables/index.ts';
import type { Delay } from './delay.ts';
import { focusBlocks } from './focus-blocks.ts';
import { inputEpisodes } from './input-episodes.ts';
import { CountedLengths, LengthCounts } from './length-counts.ts';
import { Longest } from './longest.ts';
import { Numbers } from './numbers.ts';
import {
  activityEpisodes,
  focusEpisodes,
  freezeEpisodes,
  imageEpisodes,
  lifeEpisodes,
} from './recorded-episodes.ts';
import { MOST_LONGEST, WAKE_COLUMNS, wakeLengths, wakesIn, type Found } from './wakes.ts';

/**
 * What begins and ends an episode:
 * `input`: a key or a button is pressed, until the thread of the process in focus that was woken first blocks again;
 * `focus_block`: a thread that takes messages blocks for long while its process has the focus, until it runs again;
 * `activity`: the start event of an activity, until its stop event;
 * `process_life`: a process is created, until it exits;
 * `process_to_image`: a process is created, until the first image is loaded into it;
 * `process_to_focus`: a process is created, until it first has the focus;
 * `freeze`: a process is frozen, until it is thawed;
 * `wake`: a thread is woken, until it runs.
 */
export const EPISODE_KINDS = [
  'input',
  'focus_block',
  'activity',
  'process_life',
  'process_to_image',
  'process_to_focus',
  'freeze',
  'wake',
] as const;
export type EpisodeKind = (typeof EPISODE_KINDS)[number];

/** What episodes of each kind are called. */
export const EPISODE_TITLES: Readonly<Record<EpisodeKind, string>> = {
  input: 'key or button to the next block',
  focus_block: 'thread in focus blocked',
  activity: 'start to stop of an activity',
  process_life: 'process created to its exit',
  process_to_image: 'process created to its first image',
  process_to_focus: 'process created to its first focus',
  freeze: 'process frozen to thawed',
  wake: 'thread woken to its run',
};

/** The episodes of one kind that lie in a range as a whole. */
export interface EpisodeSum {
  readonly kind: EpisodeKind;
  readonly count: number;
  /** So long were half of them, and 95 of 100, at most; by nearest rank. */
  readonly p50_ns: number;
  readonly p95_ns: number;
  readonly longest: Delay;
}

/** The episodes of one kind. */
export interface EpisodesOfKind {
  readonly sum: EpisodeSum;
  readonly lengths: LengthCounts;
  /** The longest of them, longest first; equal ones by when they began. */
  readonly longest: readonly Delay[];
}

/** The place of a percentile among so many sorted values, by nearest rank; `part` is 0 to 1. */
export function nearestRank(count: number, part: number): number {
  return Math.max(0, Math.ceil(part * count) - 1);
}

/** An episode: its kind, its thread and time, and the CPU that it waited for where it ends with a switch-in; null elsewhere. */
export type TellEpisode = (
  kind: EpisodeKind,
  utid: number,
  ts: number,
  te: number,
  cpu: number | null,
) => void;

/** The sums of the episodes of a range by kind, in the order of the kinds; kinds without episodes are left out. */
export async function loadEpisodes(query: Query, range: Stretch): Promise<EpisodeSum[]> {
  return (await gatherEpisodes(query, range, 1)).map(({ sum }) => sum);
}

/** The episodes of a range by kind, as {@link loadEpisodes}, with their lengths and so many of the longest. */
export async function gatherEpisodes(query: Query, range: Stretch, most: number): Promise<EpisodesOfKind[]> {
  const found: EpisodesOfKind[] = [];
  for (const kind of EPISODE_KINDS) {
    const { lengths, longest: all } =
      kind === 'wake' && most <= MOST_LONGEST
        ? await wakesIn(dataOf(query).tables, range)
        : await gathered(query, range, kind, most);
    const { count } = lengths;
    const [longest] = all;
    if (longest === undefined) continue;
    const percentile = (part: number) => lengths.at(nearestRank(count, part));
    const sum = { kind, count, p50_ns: percentile(0.5), p95_ns: percentile(0.95), longest };
    found.push({ sum, lengths, longest: all.slice(0, most) });
  }
  return found;
}

async function gathered(query: Query, range: Stretch, kind: EpisodeKind, most: number): Promise<Found> {
  const all = new Numbers();
  const longest = new Longest(most);
  await eachEpisode(query, range, [kind], (_, utid, ts, te) => {
    all.push(te - ts);
    longest.look(utid, ts, te);
  });
  const lengths = new LengthCounts([new CountedLengths(all.values().sort())]);
  return { lengths, longest: longest.all() };
}

/** Tells the episodes of some kinds that lie in a range as a whole. */
export async function eachEpisode(
  query: Query,
  range: Stretch,
  kinds: readonly EpisodeKind[],
  tell: TellEpisode,
): Promise<void> {
  const { tables } = dataOf(query);
  for (const kind of EPISODE_KINDS) {
    if (!kinds.includes(kind)) continue;
    if (kind === 'wake') await eachWake(tables, range, tell);
    else
      for (const { utid, ts, te } of await FOUND[kind](tables))
        if (te > ts && ts >= range.start && te <= range.end) tell(kind, utid, ts, te, null);
  }
}

/** The episodes of each kind in the whole recording, without wakes: there are millions of wakes. */
const FOUND: Readonly<Record<Exclude<EpisodeKind, 'wake'>, FindEpisodes>> = {
  input: kept(inputEpisodes),
  focus_block: kept(focusBlocks),
  activity: kept(activityEpisodes),
  process_life: kept(lifeEpisodes),
  process_to_image: kept(imageEpisodes),
  process_to_focus: kept(focusEpisodes),
  freeze: kept(freezeEpisodes),
};

type FindEpisodes = (tables: Tables) => Promise<readonly Delay[]>;

/** Finds them once a trace, unless they are many: no range changes them. */
function kept(find: FindEpisodes): FindEpisodes {
  const keep = keepLast<readonly Delay[], Tables>(({ length }) => length <= 100_000);
  return (tables) => keep(tables, '', () => find(tables));
}

async function eachWake(tables: Tables, range: Stretch, tell: TellEpisode): Promise<void> {
  // New memory for each batch would take as long as to look at it.
  let lengths = new Float64Array(0);
  for await (const batch of tables.batches('etw_ready_wait', [...WAKE_COLUMNS, 'utid', 'cpu'], range)) {
    const { rowCount, columns } = batch;
    const { ts, te, utid, cpu } = columns;
    if (lengths.length < rowCount) lengths = new Float64Array(rowCount);
    wakeLengths(batch, range, lengths);
    for (let row = 0; row < rowCount; row++)
      if (!Number.isNaN(lengths[row]))
        tell('wake', utid.values[row] ?? 0, ts.values[row] ?? 0, te.values[row] ?? 0, numberAt(cpu, row));
  }
}
