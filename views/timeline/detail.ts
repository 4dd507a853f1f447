import * as d3 from 'd3';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { addSection, drawTable, endAll, type End } from '../kit/index.ts';
import type { Fact, Stretch } from './questions.ts';

/** Where else a chosen stretch is shown. */
export interface OpenIn {
  readonly title: string;
  readonly open: () => void;
}

/** What is chosen, explained, and where more of it is told. Returns what ends it. */
export function drawStretch(
  parent: HTMLElement,
  stretch: Stretch,
  origin_ns: number,
  opens: readonly OpenIn[],
): End {
  const section = d3.select(addSection(parent, 'panel timeline-chosen'));
  section.append('header').attr('class', 'section-heading').append('h2').text(stretch.title);
  const facts: readonly Fact[] = [
    ['From', formatTime(stretch.ts, origin_ns)],
    ['Length', formatDuration(stretch.te - stretch.ts)],
    ...stretch.facts,
  ];
  const items = section.append('dl').attr('class', 'stats').selectAll('div').data(facts).join('div');
  items.append('dt').text(([name]) => name);
  items.append('dd').text(([, value]) => value);
  const row = section.append('p').attr('class', 'timeline-opens');
  for (const { title, open } of opens)
    row.append('button').attr('type', 'button').text(title).on('click', open);
  return () => section.remove();
}

/** What a range holds, as tables below what these cover. Returns what ends it. */
export function drawSums(
  parent: HTMLElement,
  { title, text }: { readonly title: string; readonly text: string },
  tables: readonly ViewTable[],
  origin_ns: number,
): End {
  const heading = d3.select(parent).append('header').attr('class', 'section-heading timeline-covered');
  heading.append('h2').text(title);
  heading.append('p').text(text);
  const row = addSection(parent, 'panel-row');
  row.style.cssText = '--first: 1; --table-height: 260px';
  const ends = tables.map((table) => {
    const panel = addSection(row, 'panel');
    d3.select(panel).append('header').attr('class', 'section-heading').append('h2').text(table.title);
    return drawTable(panel, table, { origin_ns, name: `timeline/${table.title}` });
  });
  return () => {
    endAll(ends)();
    heading.remove();
    row.remove();
  };
}
