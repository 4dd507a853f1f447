import type { TimeRange } from '../../shared/view/index.ts';
import {
  addSection,
  drawLegend,
  drawMarks,
  drawShade,
  endAll,
  livePlot,
  makeTooltip,
  paletteOf,
  scrollLanes,
  type End,
} from '../kit/index.ts';
import { Board, quietly, type Context } from './board.ts';
import { Choice, type Say } from './choice.ts';
import { drawChosen } from './draw-chosen.ts';
import { drawTracks, MARGINS, type ShownTrack } from './draw-tracks.ts';
import { Extras } from './extras.ts';
import { bindHands } from './hands.ts';
import { bindTrackKeys, isTyping } from './keys.ts';
import type { TimelineModel, Track } from './model.ts';
import { Picture } from './picture.ts';
import { TRACK_PX } from './places.ts';
import { keptOf } from './state.ts';
import { Tiles } from './tiles.ts';
import { colorsFor } from './track-colors.ts';
import { hasGaps, trackLines } from './track-words.ts';
import { legendOf } from './words.ts';

/** What else than tracks stands on the page, in px, and how few tracks are shown at least. */
const AROUND_PX = 560;
const LEAST_TRACKS = 12;
/** What is said of tracks that are drawn anew, is said so long after they are: else it is not read out. */
const SAY_MS = 300;

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
  const { model, context, extras, kept } = board;
  const { origin_ns, lines } = model;
  const page = addSection(container, 'timeline');
  const panel = addSection(page, 'panel timeline-tracks');
  const palette = paletteOf(page);
  for (const { title, entries } of legendOf(palette, model)) drawLegend(panel, entries, title);
  const said = addSection(page, 'screen-reader-only');
  said.ariaLive = 'polite';
  const below = addSection(page, 'timeline-below');
  const tooltip = makeTooltip(page);
  const tiles = tilesFor(board);

  const room = Math.max(LEAST_TRACKS, Math.floor((innerHeight - AROUND_PX) / TRACK_PX));
  board.room = Math.max(1, Math.min(room, board.places.count));
  const height_px = MARGINS.top + MARGINS.bottom + board.room * TRACK_PX;
  const scroll = scrollLanes(panel, 'timeline', {
    hidden: board.places.count - board.room,
    row_px: TRACK_PX,
    height_px,
  });
  board.scroll = scroll;
  scroll.element.ariaLabel = 'Tracks: arrow keys go through them, Enter chooses';
  const colors = colorsFor(palette, model);
  const picture = new Picture();
  let dragged: TimeRange | null = null;
  let { span } = context.selection;
  let marks: Parameters<typeof drawMarks>[2] = [];

  const plot = livePlot(
    scroll.element,
    'What CPUs and threads did over time; T shows the same as tables',
    MARGINS,
    (area) => {
      const { range } = board;
      const width = Math.round(area.width);
      const placed = board.inSight();
      const shown = placed.flatMap(({ index, ...place }): ShownTrack[] => {
        const track = board.tracks[index];
        if (track === undefined) return [];
        const { key, kind } = track;
        const own = extras.has(key)
          ? { near: extras.tile(key, range, width), whole: undefined }
          : tiles.of(key);
        return [{ track, tiles: own, colors: colors[kind], ...place }];
      });
      const cursor = placed.findIndex(({ index }) => index === board.cursor);
      drawTracks(area, picture, shown, range, { origin_ns, lines, cursor });
      const keys = shown.map(({ track }) => track.key).filter((key) => !extras.has(key));
      panel.ariaBusy = String(!tiles.want(range, width, [...new Set(keys)]));
    },
    (area) => {
      const { range } = board;
      if (span !== null) drawShade(area, range, span);
      if (dragged !== null) drawShade(area, range, dragged);
      if (kept.chosen !== null) drawChosen(area, range, kept.chosen, board.spotsOf);
      drawMarks(area, range, marks);
    },
  );
  board.width = () => plot.current()?.width ?? 1;
  plot.element.classList.add('over-time');
  plot.element.style.height = `${height_px}px`;
  tiles.onChange = () => plot.redraw();
  tiles.onSettled = () => (panel.ariaBusy = 'false');

  const say: Say = (text, isShown = true) => {
    kept.said = isShown ? text : '';
    said.className = isShown ? 'timeline-said' : 'screen-reader-only';
    said.textContent = text;
  };
  if (kept.said !== '') say(kept.said);
  const choice = new Choice(board, below, say, () => plot.redraw());
  const saying = setTimeout(() => {
    if (kept.unsaid !== '') say(kept.unsaid);
    kept.unsaid = '';
  }, SAY_MS);
  const hands = bindHands(board, choice, {
    element: plot.element,
    tooltip,
    redraw: () => plot.redraw(),
    onDrag: (covered) => {
      dragged = covered;
      plot.redrawOverlay();
    },
  });
  const ends: End[] = [
    () => clearTimeout(saying),
    () => hands.end(),
    () => choice.end(),
    context.onRange?.((next) => {
      board.range = next;
      plot.redraw();
      hands.underPointer();
    }) ?? (() => undefined),
    context.onSelection?.((selection, allMarks) => {
      if (span !== null && selection.span === null) choice.drop();
      span = selection.span;
      marks = allMarks;
      plot.redrawOverlay();
    }) ?? (() => undefined),
    scroll.onScroll(() => {
      plot.redraw();
      hands.underPointer();
    }),
    bindTrackKeys(page.ownerDocument, {
      isActive: (event) => !isTyping(event) && context.takesKeys?.() !== false,
      zoomAtPointer: hands.zoomAtPointer,
      move: (by) => {
        const { tracks, cursor } = board;
        const from = cursor === -1 ? board.first() - Math.sign(by) : cursor;
        const next = Math.min(tracks.length - 1, Math.max(0, from + by));
        const track = tracks[next];
        if (track === undefined) return;
        board.pointAt(next);
        board.intoSight(next);
        say(trackLines(track).join(', '));
        plot.redraw();
      },
      enter: () => {
        const track = board.cursorTrack;
        if (track !== undefined) enter(board, choice, track);
      },
      beside: (step) => choice.beside(step),
      chain: (step) => choice.chain(step),
      pin: () => toggleCursor(board, say, 'pinned'),
      heighten: () => toggleCursor(board, say, 'tall'),
      order: () => {
        const { start, end } = board.range;
        const isAll = context.params.order_from === null;
        context.setParams({
          order_from: isAll ? Math.round(start) : null,
          order_to: isAll ? Math.round(end) : null,
        });
      },
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
    end: endAll(ends),
  };
}

/** Pixels that show what the tracks show now; those that are known already, if there are. */
function tilesFor(board: Board): Tiles {
  const { model, context, kept } = board;
  const look = { judged: model.judged !== null, line: model.lines?.of ?? null };
  if (kept.tiles?.judged !== model.judged || kept.tiles.look.line !== look.line) {
    const of = new Tiles((question) => board.ask(question), context.trace.range, look);
    kept.tiles = { judged: model.judged, look, of };
  }
  return kept.tiles.of;
}

/** Opens or closes a process; of another track chooses what it did in the middle, or where it has gaps, next. */
function enter(board: Board, choice: Choice, track: Track): void {
  const { start, end } = board.range;
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
