import type { TimeRange } from '../../shared/view/index.ts';
import { panRange, zoomRange } from './range.ts';

/** What gestures on a time plot act on. */
export interface GestureTarget {
  /** The element that takes them. */
  readonly element: HTMLElement;
  /** Where the plot's inner area lies across the element, in px from its left edge. */
  area(): { readonly left: number; readonly width: number };
  range(): TimeRange;
  bounds(): TimeRange;
  zoomTo(range: TimeRange): void;
  /** Shows what a drag has covered so far; null when it ends. */
  onDrag(span: TimeRange | null): void;
  /** Called with what a drag has covered, in place of {@link zoomTo}. */
  cover?(span: TimeRange): void;
  /** Called with a double click, in place of {@link zoomTo} with all. */
  fit?(event: MouseEvent): void;
  /** `zooms`: the wheel alone does. `scrolls`: it scrolls the page, and zooms with Ctrl. `idle`: it does nothing here. */
  readonly wheel: 'zooms' | 'scrolls' | 'idle';
}

/** A drag shorter than this is a click, in px. */
export const DRAG_PX = 4;

/**
 * Zoom and pan on a time plot: Ctrl + wheel zooms, Shift + wheel and a sideways wheel pan, drag zooms to what it covers, Shift + drag pans,
 * double click shows the whole trace. Returns what unbinds them.
 */
export function bindGestures(target: GestureTarget): () => void {
  const { element } = target;
  const bound = new AbortController();
  const options = { signal: bound.signal };
  const timeAt = (clientX: number): number => {
    const { left, width } = target.area();
    const { start, end } = target.range();
    const part = (clientX - element.getBoundingClientRect().left - left) / width;
    return start + (end - start) * Math.min(1, Math.max(0, part));
  };

  element.addEventListener(
    'wheel',
    (event) => {
      const zooms = event.ctrlKey || event.metaKey || (target.wheel === 'zooms' && !event.shiftKey);
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (target.wheel === 'idle' || (!zooms && !event.shiftKey && !sideways)) return;
      event.preventDefault();
      const delta = sideways ? event.deltaX : event.deltaY;
      if (zooms) {
        const factor = Math.exp(Math.max(-100, Math.min(100, delta)) * 0.003);
        target.zoomTo(zoomRange(target.range(), target.bounds(), factor, timeAt(event.clientX)));
      } else {
        target.zoomTo(panRange(target.range(), target.bounds(), delta * 0.001));
      }
    },
    { ...options, passive: false },
  );

  let drag: { readonly x: number; readonly from: number; readonly range: TimeRange; pans: boolean } | null =
    null;
  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      drag = { x: event.clientX, from: timeAt(event.clientX), range: target.range(), pans: event.shiftKey };
    },
    options,
  );
  element.addEventListener(
    'pointermove',
    (event) => {
      if (drag === null || Math.abs(event.clientX - drag.x) < DRAG_PX) return;
      if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
      if (drag.pans) {
        const part = (drag.x - event.clientX) / target.area().width;
        target.zoomTo(panRange(drag.range, target.bounds(), part));
      } else {
        target.onDrag(ordered(drag.from, timeAt(event.clientX)));
      }
    },
    options,
  );
  const finish = (event: PointerEvent, taken: boolean) => {
    if (drag === null) return;
    const span = ordered(drag.from, timeAt(event.clientX));
    const zooms = taken && !drag.pans && Math.abs(event.clientX - drag.x) >= DRAG_PX;
    drag = null;
    target.onDrag(null);
    if (!zooms) return;
    if (target.cover === undefined) target.zoomTo(span);
    else target.cover(span);
  };
  element.addEventListener('pointerup', (event) => finish(event, true), options);
  element.addEventListener('pointercancel', (event) => finish(event, false), options);
  element.addEventListener(
    'dblclick',
    (event) => {
      if (target.fit === undefined) target.zoomTo(target.bounds());
      else target.fit(event);
    },
    options,
  );
  return () => bound.abort();
}

function ordered(a: number, b: number): TimeRange {
  return { start: Math.min(a, b), end: Math.max(a, b) };
}
