import * as d3 from 'd3';
import { fitted, widthOf } from './fitted.ts';

/** One entry of a legend: what a mark of this colour means. */
export interface LegendEntry {
  readonly label: string;
  readonly color: string;
  /** The absence of something, drawn as diagonal lines; left out for what is filled. */
  readonly mark?: 'hatch' | undefined;
}

/** How many characters a label has room for. The last `LABEL_END` of them say which process or thread it names. */
const [LABEL_CHARACTERS, LABEL_END] = [72, 14];

/** The entries of legends with titles begin below one another, in px. */
const STILL_TITLE_PX = 62;

const shown = ({ label }: LegendEntry) => fitted(label, LABEL_CHARACTERS, LABEL_END);

/** Draws a legend as a list; `title`: what the colours are of, where there are several legends. */
export function drawLegend(parent: HTMLElement, entries: readonly LegendEntry[], title = ''): void {
  const list = d3.select(parent).append('ul').attr('class', 'legend');
  if (title !== '') list.append('li').attr('class', 'legend-title').text(title);
  const items = list.selectAll('li:not(.legend-title)').data(entries).join('li');
  items
    .append('span')
    .attr('class', 'swatch')
    .style('background', ({ color, mark }) =>
      mark === undefined ? color : `repeating-linear-gradient(135deg, ${color} 0 1px, transparent 1px 4px)`,
    );
  items
    .append('span')
    .attr('title', (entry) => (shown(entry) === entry.label ? null : entry.label))
    .text(shown);
}

/** What an entry takes of a still picture, with the space behind it. */
const stillWidth_px = (entry: LegendEntry) => 38 + widthOf(shown(entry)) * 6.2;

/** Draws a legend into a still picture, in as many rows as it needs in `width` px; `title` as in {@link drawLegend}. Gives their height. */
export function drawStillLegend(
  parent: d3.Selection<SVGGElement, unknown, null, undefined>,
  entries: readonly LegendEntry[],
  look: {
    readonly width: number;
    readonly row_px: number;
    readonly textColor: string;
    readonly title: string;
  },
): number {
  const { width, row_px, textColor, title } = look;
  const left = title === '' ? 0 : STILL_TITLE_PX;
  if (title !== '')
    parent.append('text').attr('y', 10).attr('fill', textColor).attr('font-weight', 600).text(title);
  let [x, y] = [left, 0];
  for (const entry of entries) {
    const { color, mark } = entry;
    if (x > left && x + stillWidth_px(entry) > width) [x, y] = [left, y + row_px];
    const item = parent.append('g').attr('transform', `translate(${x},${y})`);
    item
      .append('rect')
      .attr('width', 12)
      .attr('height', 12)
      .attr('fill', mark === undefined ? color : 'none')
      .attr('stroke', color);
    item.append('text').attr('x', 18).attr('y', 10).attr('fill', textColor).text(shown(entry));
    x += stillWidth_px(entry);
  }
  return y + row_px;
}
