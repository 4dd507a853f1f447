import { group } from 'd3';
import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording } from '../../shared/recording/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { RankChange, RankHistoryModel, RankLane } from './model.ts';
import { type RankHistoryParams, recording as needs } from './params.ts';
import { readRankRows } from './rows.ts';

/** Ready waits shorter than this part of the range are not drawn. */
const SHORTEST_PART = 1 / 1000;
/** More spans than this are not drawn. */
const SPANS_MAX = 50_000;

/** Asks for all that the view shows of `range`. */
export async function loadRankHistory(
  query: Query,
  params: RankHistoryParams,
  range: TimeRange,
): Promise<RankHistoryModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const asked = {
    ...bounds,
    process: params.process === '' ? null : params.process,
    max_lanes: Math.round(params.lanes ?? 40),
    max_spans: SPANS_MAX,
    max_rows: Math.round(params.limit ?? 500),
    shortest_ns: Math.ceil((range.end - range.start) * SHORTEST_PART),
  };
  const { lanes, spans, changes } = await readRankRows(query, asked);
  const spansByThread = group(spans, ({ utid }) => Number(utid));
  return {
    ...knownOf(recording),
    notes: [
      ...recording.notes,
      ...(spans.length === SPANS_MAX ? [`Only the first ${SPANS_MAX} spans are drawn: zoom in.`] : []),
    ],
    thread_count: toNumber(lanes[0]?.thread_count) ?? 0,
    lanes: lanes.map((row) => readLane(row, spansByThread.get(Number(row.utid)) ?? [], range)),
    change_count: toNumber(changes[0]?.change_count) ?? 0,
    changes: changes.map((row) => readChange(row, recording.has('freezes'), recording.has('sleeps'))),
  };
}

function readLane(row: Row, spans: readonly Row[], range: TimeRange): RankLane {
  const clipped = (kind: string) =>
    spans
      .filter((span) => span.kind === kind)
      .map((span) => {
        const ts = Math.max(Number(span.ts), range.start);
        const end = Math.min(Number(span.ts) + Number(span.dur), range.end);
        return { ts, dur: end - ts, rank: Number(span.rank) };
      });
  return {
    ...readThread(row),
    spans: clipped('rank'),
    waits: clipped('ready').map(({ ts, dur }) => ({ ts, dur })),
    highest_rank: Number(row.highest_rank),
    ranked_ns: Number(row.ranked_ns),
    ran_ns: toNumber(row.ran_ns) ?? 0,
    ready_ns: toNumber(row.ready_ns) ?? 0,
    longest_ready_ns: toNumber(row.longest_ready_ns) ?? 0,
  };
}

function readChange(row: Row, hasFreezes: boolean, hasSleeps: boolean): RankChange {
  const ts = Number(row.ts);
  return {
    ts,
    ...readThread(row),
    from_rank: Number(row.last_rank),
    to_rank: Number(row.rank),
    unseen_ns: ts - Number(row.changed_after_ts),
    kept_ns: Number(row.dur),
    ran_before_ns: toNumber(row.ran_before_ns) ?? 0,
    ready_ns: toNumber(row.ready_ns) ?? 0,
    focus: toText(row.focus),
    frozen_ns: hasFreezes ? (toNumber(row.frozen_ns) ?? 0) : null,
    asleep_ns: hasSleeps ? (toNumber(row.asleep_ns) ?? 0) : null,
  };
}

function readThread(row: Row): Pick<RankLane, 'process' | 'service' | 'pid' | 'thread' | 'tid'> {
  return {
    process: toText(row.process),
    service: toText(row.service),
    pid: toNumber(row.pid),
    thread: toText(row.thread),
    tid: Number(row.tid),
  };
}
