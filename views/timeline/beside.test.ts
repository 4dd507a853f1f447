import { expect, test } from 'vitest';
import { besideModel } from './beside.ts';
import { cpuClassList } from './classes.ts';
import type { TimelineModel } from './model.ts';

function model(processes: readonly string[], more: Partial<TimelineModel> = {}): TimelineModel {
  return {
    range: { start: 0, end: 1 },
    origin_ns: 0,
    cpu_count: 1,
    judged: null,
    tracks: [],
    cpu_classes: cpuClassList(processes),
    lines: null,
    class_ns: [],
    still: { pixels: 1, tracks: [] },
    unrecorded: null,
    notes: [],
    ...more,
  };
}

test('below another trace a process has the colour that it has above; a new one has one that is left', () => {
  const { cpu_classes } = besideModel(model(['b.exe', 'new.exe']), model(['a.exe', 'b.exe']), true);
  const colors = cpu_classes.flatMap(({ label, series }) => (series === undefined ? [] : [[label, series]]));
  expect(colors).toEqual([
    ['b.exe', 1],
    ['new.exe', 2],
  ]);
});

test('the legend tells the states of both, and lines have one scale', () => {
  const above = model([], { class_ns: [0, 5], lines: { of: 'rank', most: 0 } });
  const below = model([], { class_ns: [1, 2], lines: { of: 'rank', most: 2 } });
  expect(besideModel(above, below, false)).toMatchObject({
    class_ns: [1, 7],
    lines: { of: 'rank', most: 2 },
  });
});
