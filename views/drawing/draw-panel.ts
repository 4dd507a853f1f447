import { formatCount } from '../../shared/model/index.ts';
import { panelTables, type PanelModel } from '../../shared/panel/index.ts';
import {
  addEmpty,
  addNotes,
  drawLegend,
  drawTable,
  endAll,
  livePlot,
  makeTooltip,
  paletteOf,
  StillPage,
  stillPalette,
  timePlot,
  type Plot,
  type TimeContext,
} from '../kit/index.ts';
import type { Hit, Picture } from './picture.ts';
import { pictureOf } from './pictures.ts';

/** What a panel in a window is drawn with. */
export interface PanelContext extends TimeContext {
  /** Called with a row that is clicked; absent where a click does nothing. */
  readonly choose?: ((row: number) => void) | undefined;
  /** Whether the rows are shown as a table, however they are drawn. */
  readonly asTable: boolean;
  /** By this name the table finds its reader's place again. */
  readonly name: string;
}

/** The notes that stand with the picture. */
export function panelNotes(model: PanelModel, picture: Picture | null): readonly string[] {
  const more = `There are more rows than the ${formatCount(model.rows.length)} that are shown.`;
  return [...(model.more ? [more] : []), ...(picture?.notes ?? [])];
}

/** Draws a panel into a window. Returns what undoes it. */
export function drawPanel(container: HTMLElement, model: PanelModel, context: PanelContext): () => void {
  if (model.missing.length > 0) {
    addEmpty(container, 'Not recorded', `This panel needs ${model.missing.join('; ')}.`);
    return () => container.replaceChildren();
  }
  if (model.rows.length === 0) {
    addEmpty(container, 'No rows', 'Nothing in this trace, range and choice answers the panel.');
    return () => container.replaceChildren();
  }
  const picture = pictureOf(model);
  addNotes(container, panelNotes(model, context.asTable ? null : picture));
  const end =
    picture === null || context.asTable
      ? drawRows(container, model, context)
      : drawPicture(container, model, picture, context);
  return endAll([end], container);
}

function drawRows(container: HTMLElement, model: PanelModel, context: PanelContext): () => void {
  const { choose, name } = context;
  const ends = panelTables(model).map((table) =>
    drawTable(container, table, {
      origin_ns: model.origin_ns,
      name,
      context,
      ...(choose === undefined ? {} : { onChoose: choose }),
    }),
  );
  return endAll(ends);
}

function drawPicture(
  container: HTMLElement,
  model: PanelModel,
  picture: Picture,
  context: PanelContext,
): () => void {
  const tooltip = makeTooltip(container);
  const legend = picture.legend(paletteOf(container));
  if (legend.length > 0) drawLegend(container, legend);
  const label = `${model.title}. ${model.description} The same rows are there as a table.`;
  const { choose } = context;
  if (picture.timed) {
    return timePlot<Hit>(container, context, {
      label,
      margins: picture.margins,
      height_px: picture.height_px,
      draw: (plot, range) => picture.draw(plot, range),
      events: {
        tooltip,
        at: ({ x, y, plot, range }) => picture.at(x, y, plot, range),
        lines: ({ lines }) => lines,
        ...(choose === undefined ? {} : { choose: ({ row }: Hit) => row !== null && choose(row) }),
      },
    });
  }
  const live = livePlot(container, label, picture.margins, (plot) => picture.draw(plot, model.range));
  live.element.style.height = `${picture.height_px}px`;
  const bound = new AbortController();
  const hitOf = (event: MouseEvent, plot: Plot | null): Hit | null => {
    if (plot === null) return null;
    const box = live.element.getBoundingClientRect();
    const x = event.clientX - box.left - picture.margins.left;
    return picture.at(x, event.clientY - box.top - picture.margins.top, plot, model.range);
  };
  const options = { signal: bound.signal };
  live.element.addEventListener(
    'pointermove',
    (event) => {
      const hit = hitOf(event, live.current());
      live.element.style.cursor = hit?.row != null && choose !== undefined ? 'pointer' : 'default';
      if (hit === null) tooltip.hide();
      else tooltip.show(event, hit.lines);
    },
    options,
  );
  live.element.addEventListener('pointerleave', () => tooltip.hide(), options);
  live.element.addEventListener(
    'click',
    (event) => {
      const row = hitOf(event, live.current())?.row ?? null;
      if (row !== null) choose?.(row);
    },
    options,
  );
  return () => {
    bound.abort();
    live.end();
  };
}

/** Draws a panel as one SVG without measuring anything; a table, which is no picture, tells only how long it is. */
export function drawStillPanel(container: HTMLElement, model: PanelModel): () => void {
  const picture = model.rows.length === 0 ? null : pictureOf(model);
  const missing = model.missing.map((record) => `Not recorded: this panel needs ${record}.`);
  const page = new StillPage(container, model.title, [...missing, ...panelNotes(model, picture)]);
  for (const line of linesOf(model.description)) page.text(line, { size: 13, gap: 6 });
  page.space(8);
  if (picture === null) {
    if (missing.length === 0) page.text(`${formatCount(model.rows.length)} rows.`);
    return page.finish();
  }
  page.legend(picture.legend(stillPalette), 20);
  page.chart(picture.height_px, picture.margins, (plot) => picture.draw(plot, model.range));
  return page.finish();
}

/** A text in lines that fit a still. */
function linesOf(text: string): readonly string[] {
  const LINE_CHARACTERS = 170;
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length >= LINE_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
