import type { Mark, TimeRange } from '../../shared/view/index.ts';
import { drawMarks, drawShade, livePlot, paletteOf, type LivePlot, type Plot } from '../kit/index.ts';
import type { Board } from './board.ts';
import { drawChosen } from './draw-chosen.ts';
import { drawTracks, MARGINS, type ShownTrack } from './draw-tracks.ts';
import { Picture } from './picture.ts';
import { Tiles } from './tiles.ts';
import { colorsFor } from './track-colors.ts';

/** What is drawn over the tracks, besides what is chosen. */
export interface Overlay {
  /** The span that is chosen. */
  span: TimeRange | null;
  /** What a drag has covered so far; null where there is none. */
  dragged: TimeRange | null;
  marks: readonly Mark[];
}

/** Draws the tracks in sight into `parent`, as the overlay says. `panel` is busy while pixels are on the way. */
export function plotTracks(
  parent: HTMLElement,
  panel: HTMLElement,
  board: Board,
  overlay: Overlay,
): LivePlot {
  const { model, extras } = board;
  const { origin_ns, lines } = model;
  const tiles = tilesFor(board);
  const colors = colorsFor(paletteOf(panel), model);
  const picture = new Picture();

  const tilesOf = (key: string, width: number): ShownTrack['tiles'] =>
    extras.has(key) ? { near: extras.tile(key, board.range, width), whole: undefined } : tiles.of(key);

  const drawChart = (area: Plot) => {
    const { range } = board;
    const width = Math.round(area.width);
    const placed = board.inSight();
    const shown = placed.flatMap(({ index, ...place }): ShownTrack[] => {
      const track = board.tracks[index];
      if (track === undefined) return [];
      return [{ track, tiles: tilesOf(track.key, width), colors: colors[track.kind], ...place }];
    });
    const cursor = placed.findIndex(({ index }) => index === board.cursor);
    drawTracks(area, picture, shown, range, { origin_ns, lines, cursor });
    const keys = shown.map(({ track }) => track.key).filter((key) => !extras.has(key));
    panel.ariaBusy = String(!tiles.want(range, width, [...new Set(keys)]));
  };

  const drawOverlay = (area: Plot) => {
    const { range, kept } = board;
    const { span, dragged, marks } = overlay;
    if (span !== null) drawShade(area, range, span);
    if (dragged !== null) drawShade(area, range, dragged);
    if (kept.chosen !== null) drawChosen(area, range, kept.chosen, board.spotsOf);
    drawMarks(area, range, marks);
  };

  const label = 'What CPUs and threads did over time; T shows the same as tables';
  const plot = livePlot(parent, label, MARGINS, drawChart, drawOverlay);
  plot.element.classList.add('over-time');
  board.width = () => plot.current()?.width ?? 1;
  tiles.onChange = () => plot.redraw();
  tiles.onSettled = () => (panel.ariaBusy = 'false');
  return plot;
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
