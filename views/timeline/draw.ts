import {
  addSection,
  drawLegend,
  endAll,
  makeTooltip,
  paletteOf,
  scrollLanes,
  type End,
  type LaneScroll,
} from '../kit/index.ts';
import { Board, quietly, type Context } from './board.ts';
import { Choice, type Say } from './choice.ts';
import { MARGINS } from './draw-tracks.ts';
import { Extras } from './extras.ts';
import { bindHands } from './hands.ts';
import { bindTrackKeys, isTyping } from './keys.ts';
import type { TimelineModel } from './model.ts';
import { TRACK_PX } from './places.ts';
import { addSpeaker } from './speaker.ts';
import { keptOf } from './state.ts';
import { plotTracks, type Overlay } from './track-plot.ts';
import { hasGaps, trackLines } from './track-words.ts';
import { legendOf } from './words.ts';

/** What else than tracks stands on the page, in px, and how few tracks are shown at least. */
const AROUND_PX = 560;
const LEAST_TRACKS = 12;

/** Tracks that are drawn. */
interface DrawnTracks {
  /** Shows what the extra tracks hold now; says whether there is room for as many as there are. */
  update(): boolean;
  end(): void;
}

/** Draws the tracks, and below them what is chosen. */
export function drawTimeline(container: HTMLElement, model: TimelineModel, context: Context): End {
  const extras = new Extras();
  let drawn: DrawnTracks | null = null;
  const redraw = () => {
    const hadFocus = container.querySelector('.lane-scroll') === container.ownerDocument.activeElement;
    drawn?.end();
    container.replaceChildren();
    drawn = drawTracksOf(container, new Board(model, context, extras, keptOf(context.trace)));
    if (hadFocus) container.querySelector<HTMLElement>('.lane-scroll')?.focus({ preventScroll: true });
  };
  redraw();
  const unfollow = context.onTracks?.((tracks) => {
    extras.take(tracks);
    if (drawn?.update() !== true) redraw();
  });
  return () => {
    unfollow?.();
    drawn?.end();
  };
}

function drawTracksOf(container: HTMLElement, board: Board): DrawnTracks {
  const { model, context } = board;
  const page = addSection(container, 'timeline');
  const panel = addSection(page, 'panel timeline-tracks');
  for (const { title, entries } of legendOf(paletteOf(page), model)) drawLegend(panel, entries, title);
  const { say, end: endSpeaker } = addSpeaker(page, board.kept);
  const below = addSection(page, 'timeline-below');
  const tooltip = makeTooltip(page);

  const overlay: Overlay = { span: context.selection.span, dragged: null, marks: [] };
  const scroll = scrollTracks(panel, board);
  const plot = plotTracks(scroll.element, panel, board, overlay);
  plot.element.style.height = `${heightOf(board)}px`;

  const choice = new Choice(board, below, say, () => plot.redraw());
  const hands = bindHands(board, choice, {
    element: plot.element,
    tooltip,
    redraw: () => plot.redraw(),
    onDrag: (covered) => {
      overlay.dragged = covered;
      plot.redrawOverlay();
    },
  });
  const move = (by: number) => {
    const track = board.moveBy(by);
    if (track === undefined) return;
    say(trackLines(track).join(', '));
    plot.redraw();
  };
  const ends: readonly (End | undefined)[] = [
    endSpeaker,
    () => hands.end(),
    () => choice.end(),
    context.onRange?.((next) => {
      board.range = next;
      plot.redraw();
      hands.underPointer();
    }),
    context.onSelection?.((selection, marks) => {
      if (overlay.span !== null && selection.span === null) choice.drop();
      overlay.span = selection.span;
      overlay.marks = marks;
      plot.redrawOverlay();
    }),
    scroll.onScroll(() => {
      plot.redraw();
      hands.underPointer();
    }),
    bindTrackKeys(page.ownerDocument, {
      isActive: (event) => !isTyping(event) && context.takesKeys?.() !== false,
      zoomAtPointer: hands.zoomAtPointer,
      move,
      enter: () => enter(board, choice),
      beside: (step) => choice.beside(step),
      chain: (step) => choice.chain(step),
      pin: () => toggleCursor(board, say, 'pinned'),
      heighten: () => toggleCursor(board, say, 'tall'),
      order: () => board.toggleOrder(),
    }),
    () => plot.end(),
  ];
  choice.begin();
  return {
    update: () => {
      const before = board.places.count;
      board.take();
      if (board.places.count !== before) return false;
      plot.redraw();
      return true;
    },
    end: endAll(ends.filter((end) => end !== undefined)),
  };
}

/** Lets the tracks scroll, of as many as there is room for. */
function scrollTracks(panel: HTMLElement, board: Board): LaneScroll {
  const room = Math.max(LEAST_TRACKS, Math.floor((innerHeight - AROUND_PX) / TRACK_PX));
  board.room = Math.max(1, Math.min(room, board.places.count));
  const scroll = scrollLanes(panel, 'timeline', {
    hidden: board.places.count - board.room,
    row_px: TRACK_PX,
    height_px: heightOf(board),
  });
  board.scroll = scroll;
  scroll.element.ariaLabel = 'Tracks: arrow keys go through them, Enter chooses';
  return scroll;
}

/** How high the tracks in sight are with their axis, in px. */
function heightOf({ room }: Board): number {
  return MARGINS.top + MARGINS.bottom + room * TRACK_PX;
}

/** Opens or closes a process at the cursor; of another track chooses what it did in the middle, or where it has gaps, next. */
function enter(board: Board, choice: Choice): void {
  const track = board.cursorTrack;
  const { start, end } = board.range;
  if (track === undefined) return;
  if (track.kind === 'process') board.toggle(track.name, 'open');
  else if (track.kind === 'extra') choice.goTo(board.extras.next(track.key, start));
  else if (hasGaps(track)) choice.goToNext(track.key, start, 1);
  else quietly(choice.chooseAt(track.key, (start + end) / 2));
}

/** Pins the track that the keys act on, or makes it tall; or undoes that. */
function toggleCursor(board: Board, say: Say, of: 'pinned' | 'tall'): void {
  const track = board.cursorTrack;
  if (track === undefined) say('Go to a track first: with the arrow keys, or by a click.');
  else board.toggle(track.name, of);
}
