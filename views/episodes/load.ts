import {
  gatherEpisodes,
  type Delay,
  type EpisodeKind,
  type EpisodesOfKind,
  type EpisodeSum,
} from '../../shared/causes/index.ts';
import { contrastEpisodes, type Contrast, type Groups, type Lengths } from '../../shared/contrast/index.ts';
import { keepLast, type Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording, type Known } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { barsOf, type DurationBin } from '../kit/index.ts';
import { params as specs, recording as needs, type EpisodesParams } from './params.ts';

/** An episode and its thread. */
export interface EpisodeRow {
  readonly ts: number;
  readonly dur: number;
  readonly thread: ThreadName | undefined;
}

/** The episodes of one kind. */
export interface KindRow extends Omit<EpisodeSum, 'longest'> {
  readonly longest: EpisodeRow;
}

/** All that the view draws. */
export interface EpisodesModel extends Known {
  readonly kinds: readonly KindRow[];
  /** The kind that is shown; null where the range has none of it. */
  readonly kind: EpisodeKind | null;
  /** How many episodes of it are how long. */
  readonly bars: readonly DurationBin[];
  /** The longest of it. */
  readonly episodes: readonly EpisodeRow[];
  /** The slow and the ordinary ones that the user chose. */
  readonly groups: Groups;
  /** What the slow ones have that the ordinary ones have not; null until it is known. */
  readonly contrast: Contrast | null;
}

/** Asks for all that the view shows of `range` but for the contrast. */
export async function loadEpisodesView(
  query: Query,
  params: EpisodesParams,
  range: TimeRange,
): Promise<EpisodesModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const names = await loadThreadNames(dataOf(query).tables);
  const rowOf = ({ utid, ts, te }: Delay): EpisodeRow => ({
    ts,
    dur: te - ts,
    thread: names.get(utid),
  });
  const limit = Math.round(params.limit ?? specs.limit.default);
  const found = await findEpisodes(query, range, limit);
  const sums = found.map(({ sum }) => sum);
  const kind = params.kind === 'first' ? sums[0]?.kind : params.kind;
  const shown = found.find(({ sum }) => sum.kind === kind);
  return {
    ...knownOf(recording),
    kind: shown?.sum.kind ?? null,
    kinds: sums.map((sum) => ({ ...sum, longest: rowOf(sum.longest) })),
    bars: shown?.bars ?? [],
    episodes: (shown?.longest.slice(0, limit) ?? []).map(rowOf),
    groups: {
      slow: lengthsOf(params.slow_from_ms, params.slow_to_ms),
      ordinary: lengthsOf(params.ordinary_from_ms, params.ordinary_to_ms),
    },
    contrast: null,
  };
}

/** What is shown of the episodes of one kind; `longest` may be more than are listed. */
interface Found extends Pick<EpisodesOfKind, 'sum' | 'longest'> {
  readonly bars: readonly DurationBin[];
}

/** No filter but the range changes more than what is listed. */
const keepFound = keepLast<readonly Found[]>();
/** So many of the longest are kept, or as many as may be asked for. */
const [KEPT, MOST] = [1000, 10_000];

/** The episodes of a range by kind: at least `limit` of the longest. */
function findEpisodes(query: Query, range: TimeRange, limit: number): Promise<readonly Found[]> {
  const most = limit <= KEPT ? KEPT : MOST;
  return keepFound(query, `${range.start} ${range.end} ${most}`, async () => {
    const found = await gatherEpisodes(query, range, most);
    return found.map(({ sum, lengths, longest }) => ({ sum, longest, bars: barsOf(lengths) }));
  });
}

/** Adds what the slow ones have that the ordinary ones have not. */
export async function loadContrast(
  query: Query,
  _params: EpisodesParams,
  range: TimeRange,
  model: EpisodesModel,
): Promise<EpisodesModel> {
  const { kind, groups } = model;
  if (kind === null) return model;
  return { ...model, contrast: await contrastEpisodes(query, range, kind, groups) };
}

const NS_PER_MS = 1_000_000;

function lengthsOf(from_ms: number | null, to_ms: number | null): Lengths | null {
  if (from_ms === null && to_ms === null) return null;
  return {
    from_ns: (from_ms ?? 0) * NS_PER_MS,
    to_ns: to_ms === null ? Number.MAX_SAFE_INTEGER : to_ms * NS_PER_MS,
  };
}
