// @vitest-environment happy-dom
import * as d3 from 'd3';
import { expect, test } from 'vitest';
import { answer, figures, panel, table, timePicture, type Block } from './blocks.ts';
import { stillPlot } from './plot.ts';
import { joinPages } from './second-page.ts';

const sums = (name: string, ns: number) =>
  table({
    title: 'Sums',
    columns: [
      { name: 'name', title: 'Name', help: '', kind: 'text' },
      { name: 'ns', title: 'Time', help: '', kind: 'duration_ns' },
    ],
    rows: [[name, ns]],
  });

/** A picture with one bar from 0 to half of its width, of so many of `most`. */
const bars = (value: number, most: number): Block =>
  timePicture({
    label: 'Bars',
    height_px: 100,
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
    frame: { most },
    draw: (plot, _, frame = { most }) =>
      plot.fill('red', (pen) => {
        const height = (plot.height * value) / frame.most;
        pen.rect(0, plot.height - height, plot.width / 2, height);
      }),
  });

function pathsOf(block: Block | null | undefined): string[] {
  if (block?.kind !== 'picture') throw new Error('no picture');
  const svg = d3.create('svg') as unknown as Parameters<typeof stillPlot>[0];
  stillPlot(svg, { x: 0, y: 0, width: 4, height: 100 }, block.margins, (plot) =>
    block.draw(plot, { start: 0, end: 1 }),
  );
  return svg
    .selectAll<SVGPathElement, unknown>('path')
    .nodes()
    .map((path) => path.getAttribute('d') ?? '');
}

/** Clocks that agree, and no ties. */
const HERE = { later_ns: 0, inA: (text: string) => text };

test('tables have second columns, figures and answers tell both, and what cannot be joined is named', () => {
  const page = (ns: number, name: string) => [
    answer([`${ns} ns.`]),
    figures([['all', `${ns} ns`]]),
    panel('Panel', '', [sums('a.exe', ns)]),
    panel('Other', '', [sums(name, ns)]),
  ];
  const [said, sentences, both, joined] = joinPages(page(1, 'one.exe'), page(3, 'other.exe'), HERE);
  expect(said).toEqual({
    kind: 'remarks',
    lines: ['Of A alone: “Sums”. B has no such rows, or cannot be laid over it.'],
  });
  expect(sentences).toEqual(answer(['A: 1 ns.', 'B: 3 ns.']));
  expect(both).toEqual(figures([['all', '1 ns → 3 ns']]));
  const [shown] = joined?.kind === 'panel' ? joined.blocks : [];
  expect(shown?.kind === 'table' && shown.table.rows).toEqual([['a.exe', 1, 3, 2]]);
});

test('B is an outline in a picture whose frame holds both', () => {
  const [nothing, picture] = joinPages([bars(5, 5)], [bars(10, 10)], HERE);
  expect(nothing).toBeNull();
  const [own, outline] = pathsOf(picture);
  expect(own).toBe('M0,50h2v50h-2Z');
  expect(outline).toBe('M0,100L0,0L1,0L1,0L2,0L2,100L3,100');
});
