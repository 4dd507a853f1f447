import { group, sum } from 'd3';
import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { boundsOf, loadRecording } from '../../shared/recording/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import inputsSql from './inputs.sql';
import type { FocusAndInputModel, FocusLane, FocusSpan, InputEvent, InputKind } from './model.ts';
import { type FocusAndInputParams, recording as needs } from './params.ts';
import spansSql from './spans.sql';

/** Asks for all that the view shows of `range`. */
export async function loadFocusAndInput(
  query: Query,
  params: FocusAndInputParams,
  range: TimeRange,
): Promise<FocusAndInputModel> {
  const bounds = boundsOf(range);
  const { origin_ns, unrecorded, notes } = await loadRecording(query, needs, bounds);
  const spans = (await query(spansSql, bounds)).rows();
  const moves = params.moves ? 1 : 0;
  const max_rows = Math.round(params.limit ?? 5000);
  const inputs = [...(await query(inputsSql, { ...bounds, moves, max_rows })).rows()];
  const lanes = [...group(spans, ({ upid, pid }) => `${String(upid)} ${String(pid)}`).values()].map((rows) =>
    makeLane(rows.map(readSpan), range),
  );
  return {
    origin_ns,
    unrecorded,
    notes,
    lanes: lanes.sort((a, b) => b.focused_ns - a.focused_ns),
    input_count: toNumber(inputs[0]?.input_count) ?? 0,
    inputs: inputs.map(readInput),
  };
}

function makeLane(spans: readonly FocusSpan[], range: TimeRange): FocusLane {
  const focused_ns = sum(spans, ({ ts, dur }) => Math.min(ts + dur, range.end) - Math.max(ts, range.start));
  const [first] = spans;
  return { process: first?.process ?? null, pid: first?.pid ?? 0, focused_ns, spans };
}

function readSpan(row: Row): FocusSpan {
  return {
    ts: Number(row.ts),
    dur: Number(row.dur),
    process: toText(row.process),
    pid: Number(row.pid),
    session: toNumber(row.session),
    open_start: row.open_start === 1,
    open_end: row.open_end === 1,
  };
}

function readInput(row: Row): InputEvent {
  return {
    ts: Number(row.ts),
    kind: row.kind as InputKind,
    code: toNumber(row.code),
    key_name: toText(row.key_name),
    x: toNumber(row.x),
    y: toNumber(row.y),
    focus: toText(row.focus),
  };
}
