import type { Change, Place } from '../../shared/compare/index.ts';
import type { Selection, TimeRange } from '../../shared/view/index.ts';
import { rangeAround } from '../kit/index.ts';

/** A place in one of the traces. */
export interface ShownPlace {
  readonly view: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly range: TimeRange;
  readonly selection: Selection;
}

/** Around what is shown there is so much of its own length on both sides. */
const MARGIN = 0.4;

function shownAt(
  { ts, te, tid }: Place,
  whole: TimeRange,
  view: string,
  params: ShownPlace['params'],
): ShownPlace {
  const span = { start: ts, end: te };
  return {
    view,
    params,
    range: rangeAround(span, whole, MARGIN),
    selection: { span, thread: tid === 0 ? null : { tid, ts }, pid: null },
  };
}

/** The view that explains what a row measures, at a run or wait of it: why it was ready, what woke it, or what ran. */
export function explaining({ measure, why }: Change, place: Place, whole: TimeRange): ShownPlace {
  const { ts, te, tid } = place;
  switch (measure) {
    case 'ready':
      return shownAt(place, whole, 'ready-latency', { wait_ts: ts, wait_tid: tid });
    case 'blocked':
      return shownAt(place, whole, 'wake-chain', { ts: te, tid });
    case 'samples':
      return shownAt(place, whole, 'cpu-sampled', { module: why });
    case 'disk_io':
    case 'file_io':
      return shownAt(place, whole, 'io', { source: measure === 'disk_io' ? 'disk' : 'file' });
    case 'blame':
      return shownAt(place, whole, 'blame', {});
    case 'cpu':
      return shownAt(place, whole, 'cpu-usage', {});
  }
}

/** The timeline at a run or wait. */
export function inTimeline(place: Place, whole: TimeRange): ShownPlace {
  return shownAt(place, whole, 'timeline', {});
}
