import { group } from 'd3';
import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording, type Recording } from '../../shared/recording/index.ts';
import { dataOf, type Bounds } from '../../shared/tables/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadAround } from './around.ts';
import { timesWithin } from './change-times.ts';
import type { RankChange, RankHistoryModel, RankLane } from './model.ts';
import { params as specs, type RankHistoryParams, recording as needs } from './params.ts';
import { loadRankedTimes, type RankedTimes } from './ranked-times.ts';
import { overlaps, rankedThreads, type RankedThread } from './ranked-threads.ts';

/** Ready waits shorter than this part of the range are not drawn. */
const SHORTEST_PART = 1 / 1000;
/** More spans than this are not drawn. */
const SPANS_MAX = 50_000;
const SECOND_NS = 1e9;

/** Asks for all that the view shows of `range`. */
export async function loadRankHistory(
  query: Query,
  { process, lanes, limit }: RankHistoryParams,
  range: TimeRange,
): Promise<RankHistoryModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const threads = await rankedThreads(query, bounds, process);
  const drawn = threads.slice(0, Math.round(lanes ?? specs.lanes.default));
  const shortest_ns = Math.ceil((range.end - range.start) * SHORTEST_PART);
  const times = await loadRankedTimes(query, bounds, shortest_ns);
  const spans = drawnSpans(drawn, times, bounds);
  const spansByThread = group(spans, ({ utid }) => utid);
  const changes = changesIn(threads, bounds);
  const listed = changes.slice(0, Math.round(limit ?? specs.limit.default));
  return {
    ...knownOf(recording),
    notes: [
      ...recording.notes,
      ...(spans.length === SPANS_MAX ? [`Only the first ${SPANS_MAX} spans are drawn: zoom in.`] : []),
    ],
    thread_count: threads.length,
    lanes: drawn.map((thread) => laneOf(thread, spansByThread.get(thread.utid) ?? [], times, range)),
    change_count: changes.length,
    changes: await tellChanges(query, listed, recording),
  };
}

/** A span that is drawn: a rank that was kept, or a ready wait. */
interface DrawnSpan {
  readonly isWait: boolean;
  readonly utid: number;
  readonly ts: number;
  readonly dur: number;
  readonly rank: number;
}

/** The first spans of threads that a range touches. */
function drawnSpans(
  threads: readonly RankedThread[],
  { drawn }: RankedTimes,
  bounds: Bounds,
): readonly DrawnSpan[] {
  const isDrawn = new Set(threads.map(({ utid }) => utid));
  const kept = threads.flatMap(({ utid, spans }) =>
    spans.filter((span) => overlaps(span, bounds)).map((span) => ({ isWait: false, utid, ...span })),
  );
  const waits = drawn.filter(({ utid }) => isDrawn.has(utid)).map((wait) => ({ isWait: true, ...wait }));
  return [...kept, ...waits].sort((a, b) => a.ts - b.ts).slice(0, SPANS_MAX);
}

function laneOf(
  { utid, about, ranked_ns, highest_rank }: RankedThread,
  spans: readonly DrawnSpan[],
  times: RankedTimes,
  range: TimeRange,
): RankLane {
  const clipped = (waits: boolean) =>
    spans
      .filter(({ isWait }) => isWait === waits)
      .map((span) => {
        const ts = Math.max(span.ts, range.start);
        return { ts, dur: Math.min(span.ts + span.dur, range.end) - ts, rank: span.rank };
      });
  return {
    ...about,
    spans: clipped(false),
    waits: clipped(true).map(({ ts, dur }) => ({ ts, dur })),
    ...{ highest_rank, ranked_ns },
    ran_ns: times.ran_ns[utid] ?? 0,
    ready_ns: times.ready_ns[utid] ?? 0,
    longest_ready_ns: times.longest_ready_ns[utid] ?? 0,
  };
}

/** The changes of rank in a range, in the order of time. */
function changesIn(threads: readonly RankedThread[], { range_start, range_end }: Bounds) {
  return threads
    .flatMap(({ utid, about, spans }) =>
      spans.flatMap(({ ts, dur, rank, last_rank, last_ts }) =>
        last_rank === null || ts < range_start || ts >= range_end
          ? []
          : [{ utid, about, ts, te: ts + dur, from_rank: last_rank, to_rank: rank, last_ts: last_ts ?? 0 }],
      ),
    )
    .sort((a, b) => a.ts - b.ts);
}

/** Adds what happened around changes. */
async function tellChanges(
  query: Query,
  changes: ReturnType<typeof changesIn>,
  recording: Recording,
): Promise<readonly RankChange[]> {
  const aroundOf = await loadAround(dataOf(query).tables, recording);
  const before = changes.map(({ utid, ts }) => ({ utid, ts: ts - SECOND_NS, te: ts }));
  const ran = await timesWithin(query, 'etw_run', before);
  const ready = await timesWithin(query, 'etw_ready_wait', changes);
  return changes.map(({ about, ...change }, at) => ({
    ts: change.ts,
    ...about,
    from_rank: change.from_rank,
    to_rank: change.to_rank,
    unseen_ns: change.ts - change.last_ts,
    kept_ns: change.te - change.ts,
    ran_before_ns: ran[at] ?? 0,
    ready_ns: ready[at] ?? 0,
    ...aroundOf(change),
  }));
}
