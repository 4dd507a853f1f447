import * as d3 from 'd3';
import { fitted, widthOf } from './fitted.ts';

/** One entry of a legend: what a mark of this colour means. */
export interface LegendEntry {
  readonly label: string;
  readonly color: string;
  /** `hatch`: the absence of something, drawn as diagonal lines. */
  readonly mark: 'fill' | 'hatch';
}

/** A label has room for so many characters, the last of which tell which process or thread it is. */
const [LABEL_CHARACTERS, LABEL_END] = [72, 14];

const shown = ({ label }: LegendEntry) => fitted(label, LABEL_CHARACTERS, LABEL_END);

/** Draws a legend as a list. */
export function drawLegend(parent: HTMLElement, entries: readonly LegendEntry[]): void {
  const items = d3
    .select(parent)
    .append('ul')
    .attr('class', 'legend')
    .selectAll('li')
    .data(entries)
    .join('li');
  items
    .append('span')
    .attr('class', 'swatch')
    .style('background', ({ color, mark }) =>
      mark === 'fill' ? color : `repeating-linear-gradient(135deg, ${color} 0 1px, transparent 1px 4px)`,
    );
  items
    .append('span')
    .attr('title', (entry) => (shown(entry) === entry.label ? null : entry.label))
    .text(shown);
}

/** Draws a legend into a still picture, from `x`, `y` to the right. */
export function drawStillLegend(
  parent: d3.Selection<SVGGElement, unknown, null, undefined>,
  entries: readonly LegendEntry[],
  textColor: string,
): void {
  const CHARACTER_PX = 6.2;
  let x = 0;
  for (const entry of entries) {
    const { color, mark } = entry;
    const label = shown(entry);
    const item = parent.append('g').attr('transform', `translate(${x},0)`);
    item
      .append('rect')
      .attr('width', 12)
      .attr('height', 12)
      .attr('fill', mark === 'fill' ? color : 'none')
      .attr('stroke', color);
    item.append('text').attr('x', 18).attr('y', 10).attr('fill', textColor).text(label);
    x += 18 + widthOf(label) * CHARACTER_PX + 20;
  }
}
