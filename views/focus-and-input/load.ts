import { group, sum } from 'd3';
import type { Query } from '../../shared/engine/index.ts';
import { boundsOf, knownOf, loadRecording } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { focusAt, loadFocus, loadInputs, type FocusSpan as Focused } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { FocusAndInputModel, FocusLane, FocusSpan, InputKind } from './model.ts';
import { type FocusAndInputParams, params as specs, recording as needs } from './params.ts';

/** Asks for all that the view shows of `range`. */
export async function loadFocusAndInput(
  query: Query,
  params: FocusAndInputParams,
  range: TimeRange,
): Promise<FocusAndInputModel> {
  const bounds = boundsOf(range);
  const recording = await loadRecording(query, needs, bounds);
  const { tables } = dataOf(query);
  const focus = await loadFocus(tables);
  const spans = focus.filter(({ ts, te }) => ts < bounds.range_end && te > bounds.range_start);
  const within = { start: bounds.range_start, end: bounds.range_end };
  const inputs = await loadInputs(tables, within, params.moves);
  const lanes = [...group(spans, ({ upid, pid }) => `${String(upid)} ${String(pid)}`).values()].map((rows) =>
    makeLane(rows.map(readSpan), range),
  );
  return {
    ...knownOf(recording),
    lanes: lanes.sort((a, b) => b.focused_ns - a.focused_ns),
    input_count: inputs.length,
    inputs: inputs.slice(0, Math.round(params.limit ?? specs.limit.default)).map((input) => ({
      ...input,
      kind: input.kind as InputKind,
      focus: namesAt(focus, input.ts),
    })),
  };
}

function makeLane(spans: readonly FocusSpan[], range: TimeRange): FocusLane {
  const focused_ns = sum(spans, ({ ts, dur }) => Math.min(ts + dur, range.end) - Math.max(ts, range.start));
  const [first] = spans;
  const { process = null, pid = 0, services = null } = first ?? {};
  return { process, pid, services, focused_ns, spans };
}

function readSpan({ ts, te, process, pid, services, session, open_start, open_end }: Focused): FocusSpan {
  return { ts, dur: te - ts, process, pid, services, session, open_start, open_end };
}

/** Who had the focus at a time, by name; null where none had, or that is not known. */
function namesAt(focus: readonly Focused[], ts: number): string | null {
  const names = focusAt(focus, ts).flatMap(({ process }) => process ?? []);
  return names.length === 0 ? null : [...new Set(names)].join(',');
}
