import type { ParamSpecs, Selection, ViewContext } from '../../shared/view/index.ts';
import { rangeAround } from './range.ts';

/** What takes time, and whose it is as far as that is known. */
export interface Happening {
  readonly ts: number;
  readonly dur: number;
  readonly tid?: number | null;
  readonly pid?: number | null;
}

/** The choice of a span of time, with its thread and process. */
export function choiceOf({ ts, dur, tid = null, pid = null }: Happening): Selection {
  return { span: { start: ts, end: ts + dur }, thread: tid === null ? null : { tid, ts }, pid };
}

/** Chooses a span of time and zooms to it. `margin` is the time shown on each side, as a part of the span's length. */
export function chooseAndZoom<P extends ParamSpecs>(
  context: ViewContext<P>,
  what: Happening,
  margin = 0.08,
): void {
  const span = { start: what.ts, end: what.ts + what.dur };
  context.select(choiceOf(what));
  context.zoomTo(rangeAround(span, context.trace.range, margin));
}

/** The choice of a row of a table by its number: `choose` gets what that row shows. */
export function rowChoice<T>(rows: readonly T[], choose: (row: T) => void): (at: number) => void {
  return (at) => {
    const row = rows[at];
    if (row !== undefined) choose(row);
  };
}
