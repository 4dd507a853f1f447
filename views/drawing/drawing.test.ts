import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import type { PanelModel } from '../../shared/panel/index.ts';
import { areaModel } from './area.ts';
import { barsModel } from './bars.ts';
import { drawStillPanel } from './draw-panel.ts';
import { flameModel } from './flame.ts';
import { heatModel, heatPicture } from './heatmap.ts';
import { histogramModel } from './histogram.ts';
import { marksModel } from './marks.ts';
import { numberModel } from './number.ts';
import { pictureOf } from './pictures.ts';
import { spansModel } from './spans.ts';
import { panelOf, RANGE } from './testing.ts';
import { xyModel } from './xy.ts';

const still = (model: PanelModel) => {
  const { body } = parseHTML('<!doctype html><html><body></body></html>').document;
  drawStillPanel(body, model);
  return [...body.querySelectorAll('text')].map((text) => text.textContent);
};

test('bars: rows of one name are parts of one bar', async () => {
  const panel = await panelOf(
    'bars name=a value=n series=s',
    'a, n, s',
    "('x', 1, 'p'), ('y', 5, 'q'), ('x', 2, 'q')",
  );
  expect(barsModel(panel)).toEqual({
    bars: [
      {
        name: 'x',
        total: 3,
        parts: [
          { row: 2, series: 0, value: 2 },
          { row: 0, series: 1, value: 1 },
        ],
      },
      { name: 'y', total: 5, parts: [{ row: 1, series: 0, value: 5 }] },
    ],
    series: { names: ['q', 'p'], ofRow: [1, 0, 0], other: null },
    most: 5,
    left_out: 0,
  });
  expect(still(panel)).toEqual([
    'A',
    'B',
    'q',
    'p',
    ...[0, 1, 2, 3, 4, 5].flatMap((n) => [`${n}`]),
    'x',
    '3',
    'y',
    '5',
  ]);
});

test('points: by series and x; a row without x or y is none', async () => {
  const panel = await panelOf('lines x=ts y=n', 'ts, n', '(1200, 3), (1100, -1), (NULL, 2), (1500, NULL)');
  expect(xyModel(panel)).toEqual({
    timed: true,
    series: { names: [], ofRow: [0, 0, 0, 0], other: null },
    points: [
      [
        { x: 1100, y: -1, row: 1 },
        { x: 1200, y: 3, row: 0 },
      ],
    ],
    step: 100,
    x: [1100, 1200],
    y: [-1, 3],
  });
});

test('areas: one series above the other, as wide as a bucket', async () => {
  const panel = await panelOf(
    'area x=ts y=n series=s',
    'ts, n, s',
    "(1000, 2, 'p'), (1000, 1, 'q'), (1100, 4, 'q')",
  );
  const { boxes, series, step, y } = areaModel(panel);
  expect({ boxes, names: series.names, step, y }).toEqual({
    boxes: [
      [
        { x: 1000, from: 0, to: 1, row: 1 },
        { x: 1100, from: 0, to: 4, row: 2 },
      ],
      [{ x: 1000, from: 1, to: 3, row: 0 }],
    ],
    names: ['q', 'p'],
    step: 100,
    y: [0, 4],
  });
});

test('more series than can be told apart are one', async () => {
  const values = Array.from({ length: 14 }, (_, at) => `(1000, ${20 - at}, 's${at}')`).join(', ');
  const { series } = xyModel(await panelOf('scatter x=ts y=n series=s', 'ts, n, s', values));
  expect([series.names.at(-1), series.other, series.ofRow.slice(-4)]).toEqual([
    'other',
    11,
    [10, 11, 11, 11],
  ]);
});

test('histogram: durations in tenths of a decade, others in even bins; rows count as they say', async () => {
  const durations = histogramModel(
    await panelOf('histogram value=dur count=n', 'dur, n', '(100, 3), (150, 1), (9000, 0)'),
  );
  expect(durations).toMatchObject({ log: true, p50: 100, p99: 150 });
  expect(durations.bins.map(({ count }) => count)).toEqual([3, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  const even = histogramModel(await panelOf('histogram value=n', 'n', '(0), (20), (40), (40)'));
  expect(even.bins.filter(({ count }) => count > 0)).toEqual([
    { from: 0, to: 1, count: 1 },
    { from: 20, to: 21, count: 1 },
    { from: 40, to: 41, count: 2 },
  ]);
});

test('heat map: names in the order of the rows, numbers in steps', async () => {
  const panel = await panelOf(
    'heatmap x=ts y=a value=n',
    'ts, a, n',
    "(1000, 'x', 1), (1050, 'y', 9), (1200, 'x', NULL)",
  );
  expect(heatModel(panel)).toEqual({
    x: { names: null, from: 1000, to: 1250, step: 50 },
    y: { names: ['x', 'y'], from: 0, to: 2, step: 1 },
    cells: [
      { x: 1000, y: 0, value: 1, row: 0 },
      { x: 1050, y: 1, value: 9, row: 1 },
    ],
    least: 1,
    most: 9,
    left_out: 1,
  });
});

test('heat map: the margin is as wide as the longest name needs, and has a limit', async () => {
  const leftOf = async (name: string) =>
    heatPicture(await panelOf('heatmap x=ts y=a value=n', 'ts, a, n', `(1000, '${name}', 1)`)).margins.left;
  expect(await Promise.all(['CPU 0', 'svchost.exe', 'a'.repeat(99)].map(leftOf))).toEqual([48, 86, 180]);
});

test('heat map: a bucket of time that is alone has a width, and the shade of the most', async () => {
  const panel = await panelOf('heatmap x=ts y=a value=n', 'ts, a, n', "(1500, 'x', 9)");
  expect(heatModel(panel).x).toEqual({ names: null, from: 1500, to: 1505, step: 5 });
  const { body } = parseHTML('<!doctype html><html><body></body></html>').document;
  drawStillPanel(body, panel);
  const cell = [...body.querySelectorAll('path')].at(-1);
  expect(cell?.getAttribute('fill')).toBe(body.querySelectorAll('rect')[2]?.getAttribute('fill'));
});

test('spans: a lane a name; and what lies under a point', async () => {
  const panel = await panelOf(
    'spans lane=a ts=ts dur=dur',
    'ts, dur, a',
    "(1000, 500, 'x'), (1600, 10, 'y'), (1100, 100, 'x'), (NULL, 1, 'z')",
  );
  const { lanes, spans, left_out } = spansModel(panel);
  expect({ lanes, spans, left_out }).toEqual({
    lanes: ['x', 'y'],
    spans: [
      [
        { lane: 0, ts: 1000, dur: 500, row: 0 },
        { lane: 0, ts: 1100, dur: 100, row: 2 },
        { lane: 1, ts: 1600, dur: 10, row: 1 },
      ],
    ],
    left_out: 1,
  });
  const plot = { width: 1000 } as Parameters<NonNullable<ReturnType<typeof pictureOf>>['at']>[2];
  const picture = pictureOf(panel);
  expect([150, 400, 900].map((x) => picture?.at(x, 5, plot, RANGE)?.row ?? null)).toEqual([2, 0, null]);
});

test('flame graph: totals of all below; a circle of callers is left out', async () => {
  const panel = await panelOf(
    'flame id=i parent=p name=a value=n',
    'i, p, a, n',
    "(1, NULL, 'main', 1), (2, 1, 'f', 2), (3, 1, 'g', 5), (4, 5, 'lost', 1), (5, 4, 'lost', 1)",
  );
  const { boxes, depth, left_out } = flameModel(panel);
  expect(boxes.map(({ name, depth: row, from, to, total }) => [name, row, from, to, total])).toEqual([
    ['main', 0, 0, 1, 8],
    ['g', 1, 0, 0.625, 5],
    ['f', 1, 0.625, 0.875, 2],
  ]);
  expect([depth, left_out]).toEqual([2, 2]);
});

test('marks: instants by time, with labels where they have room', async () => {
  const panel = await panelOf('marks ts=ts label=a', 'ts, a', "(1500, 'b'), (1100, 'a'), (1101, 'no room')");
  expect(marksModel(panel).instants).toEqual([
    [
      { ts: 1100, label: 'a', row: 1 },
      { ts: 1101, label: 'no room', row: 2 },
      { ts: 1500, label: 'b', row: 0 },
    ],
  ]);
  expect(still(panel).slice(-2)).toEqual(['a', 'b']);
});

test.each([
  ['warn=1ms bad=1s', '500', ['500 ns', 'good', ['worth a look from 1.00 ms', 'wrong from 1.000 s']]],
  ['warn=1ms', '1000000', ['1.00 ms', 'warn', ['worth a look from 1.00 ms']]],
  [
    'warn=1s bad=1ms',
    '500',
    ['500 ns', 'bad', ['worth a look down from 1.000 s', 'wrong down from 1.00 ms']],
  ],
  ['', '500', ['500 ns', null, []]],
  ['bad=1ms', 'NULL', ['–', null, ['wrong from 1.00 ms']]],
])('a number with %j of %s', async (bounds, value, expected) => {
  const {
    text,
    level,
    bounds: words,
  } = numberModel(await panelOf(`number value=dur ${bounds}`.trim(), 'dur', `(${value})`));
  expect([text, level, words]).toEqual(expected);
});
