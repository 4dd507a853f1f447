import { formatTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { bindGestures, DRAG_PX, rangeAround, timeScale, type Tooltip } from '../kit/index.ts';
import { idOf, quietly, type Board } from './board.ts';
import type { Choice } from './choice.ts';
import { MARGINS } from './draw-tracks.ts';
import type { Track } from './model.ts';
import { stretchLines, trackLines } from './track-words.ts';

/** A pointer that rests for so long asks what is under it. */
const HOVER_MS = 80;
/** Margin around what a double click fits, as a part of its length. */
const FIT_MARGIN = 0.1;

/** What the pointer does with the tracks. */
export interface Hands {
  readonly element: HTMLElement;
  readonly tooltip: Tooltip;
  readonly redraw: () => void;
  /** Shows what a drag has covered so far; null when it ends. */
  readonly onDrag: (covered: TimeRange | null) => void;
}

/** A place under the pointer: left of the tracks, where their names are, `x` is below 0. */
interface Point {
  readonly track: Track;
  readonly x: number;
  readonly ts: number;
}

/** Lets the pointer act on the tracks. */
export function bindHands(
  board: Board,
  choice: Choice,
  { element, tooltip, redraw, onDrag }: Hands,
): {
  /** Zooms at the pointer; says whether it is where it can. */
  readonly zoomAtPointer: (factor: number) => boolean;
  /** Another track or time has come under a pointer that rests. */
  readonly underPointer: () => void;
  readonly end: () => void;
} {
  const { context, model } = board;
  const bound = new AbortController();
  const options = { signal: bound.signal };
  let pressedAt = 0;
  let pointer: PointerEvent | null = null;
  let hover: ReturnType<typeof setTimeout> | undefined;

  const pointAt = ({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): Point | null => {
    const box = element.getBoundingClientRect();
    const x = clientX - box.left - MARGINS.left;
    const y = clientY - box.top - MARGINS.top;
    const track = y < 0 ? undefined : board.trackAt(y);
    if (track === undefined || x > board.width()) return null;
    return { track, x, ts: timeScale(board.range, board.width()).invert(x) };
  };
  const tell = (event: PointerEvent, { track, ts }: Point) =>
    board.stretchAt(track.key, ts).then((stretch) => {
      if (pointer !== event) return;
      tooltip.show(event, stretch === null ? trackLines(track) : stretchLines(stretch, model.origin_ns));
    });
  const fit = async (event: MouseEvent) => {
    const point = pointAt(event);
    const { range: bounds } = context.trace;
    const isIn = point !== null && point.x >= 0 && point.track.kind !== 'process';
    const stretch = isIn ? await board.stretchAt(point.track.key, point.ts) : null;
    const fitted =
      stretch === null || stretch.te <= stretch.ts
        ? bounds
        : rangeAround({ start: stretch.ts, end: stretch.te }, bounds, FIT_MARGIN);
    const isFitted = fitted.start === board.range.start && fitted.end === board.range.end;
    context.zoomTo(isFitted ? bounds : fitted);
  };

  const on = <K extends 'pointerdown' | 'pointermove' | 'pointerleave' | 'click'>(
    name: K,
    listener: (event: HTMLElementEventMap[K]) => void,
  ) => element.addEventListener(name, listener, options);
  on('pointerdown', (event) => (pressedAt = event.clientX));
  const hoverAt = (event: PointerEvent) => {
    pointer = event;
    tooltip.hide();
    clearTimeout(hover);
    const point = event.buttons === 0 ? pointAt(event) : null;
    element.style.cursor = point !== null && point.x < 0 ? 'pointer' : 'crosshair';
    if (point === null) return;
    if (point.x < 0) tooltip.show(event, trackLines(point.track));
    else hover = setTimeout(() => quietly(tell(event, point)), HOVER_MS);
  };
  on('pointermove', hoverAt);
  on('pointerleave', () => {
    pointer = null;
    clearTimeout(hover);
    tooltip.hide();
  });
  on('click', (event) => {
    const point = pointAt(event);
    if (point === null || Math.abs(event.clientX - pressedAt) >= DRAG_PX) return;
    const { track, ts } = point;
    if (event.shiftKey) {
      const at = Math.round(ts);
      context.toggleMark?.({ ts: at, label: formatTime(at, context.trace.range.start) });
      return;
    }
    board.kept.cursor = idOf(track);
    redraw();
    if (track.kind === 'process') board.toggle(track.name, 'open');
    else if (point.x >= 0) quietly(choice.chooseAt(track.key, ts));
  });
  const unbindGestures = bindGestures({
    element,
    area: () => ({ left: MARGINS.left, width: board.width() }),
    range: () => board.range,
    bounds: () => context.trace.range,
    zoomTo: (next) => context.zoomTo(next),
    onDrag,
    cover: (covered) => {
      const span = { start: Math.round(covered.start), end: Math.round(covered.end) };
      context.select({ span, thread: null, pid: null });
      quietly(choice.cover(span));
    },
    fit: (event) => quietly(fit(event)),
    wheel: 'scrolls',
  });
  return {
    zoomAtPointer: (factor) => {
      const point = pointer === null ? null : pointAt(pointer);
      if (point === null || point.x < 0) return false;
      const { start, end } = board.range;
      const { ts } = point;
      context.zoomTo({ start: ts - (ts - start) * factor, end: ts + (end - ts) * factor });
      return true;
    },
    underPointer: () => {
      if (pointer !== null) hoverAt(pointer);
    },
    end: () => {
      bound.abort();
      clearTimeout(hover);
      unbindGestures();
    },
  };
}
