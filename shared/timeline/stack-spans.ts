import type { Lane } from './lane.ts';
import { NOTHING } from './lane.ts';

/** What lasts from `ts` to `te`, and the value that it has in a lane. */
export interface Span {
  readonly ts: number;
  readonly te: number;
  readonly value: number;
}

/**
 * Appends spans that may lie in one another or overlap: at any time the one that began last holds. What begins before the last step of the lane
 * begins there.
 */
export function appendSpans(lane: Lane, spans: readonly Span[]): void {
  const sorted = [...spans].sort((a, b) => a.ts - b.ts || b.te - a.te);
  const open: Span[] = [];
  /** Ends what has ended by a time: below it goes on what is still open then. */
  const endUntil = (ts: number) => {
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      if (top.te > ts) {
        open.push(top);
        return;
      }
      while ((open.at(-1)?.te ?? Infinity) <= top.te) open.pop();
      lane.append(Math.max(top.te, lane.last), open.at(-1)?.value ?? NOTHING);
    }
  };
  for (const span of sorted) {
    if (span.te <= span.ts) continue;
    endUntil(span.ts);
    lane.append(Math.max(span.ts, lane.last), span.value);
    open.push(span);
  }
  endUntil(Infinity);
}

/** How many of some spans last at once, as spans that follow one another; the value is that number. */
export function depthOf(spans: readonly { readonly ts: number; readonly te: number }[]): Span[] {
  const steps = spans.flatMap(({ ts, te }) => [
    { at: ts, by: 1 },
    { at: te, by: -1 },
  ]);
  steps.sort((a, b) => a.at - b.at);
  const depths: Span[] = [];
  let [depth, since] = [0, 0];
  for (const { at, by } of steps) {
    if (depth > 0 && at > since) depths.push({ ts: since, te: at, value: depth });
    depth += by;
    since = at;
  }
  return depths;
}
