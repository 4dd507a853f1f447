import { expect, test } from 'vitest';
import { copiedStack, heaviestStack } from './copied-stack.ts';
import { type FlameNode, layOut } from '../kit/index.ts';
import type { CpuSampledModel } from './model.ts';

let key = 0;
function node(label: string, samples: number, self: number, ...children: FlameNode[]): FlameNode {
  return { key: key++, label, module: 'app.exe', samples, self, children };
}

const root = node(
  'all',
  2000,
  0,
  node(
    'app.exe (pid 16)',
    2000,
    0,
    node(
      'app.exe!main',
      2000,
      0,
      node('app.exe!walk', 1500, 500, node('app.exe!read', 1000, 1000)),
      node('app.exe!read', 500, 500),
    ),
  ),
);
const model: CpuSampledModel = {
  origin_ns: 0,
  unrecorded: null,
  notes: [],
  samples: 2000,
  all_samples: 2000,
  interval_ns: 1_000_000,
  modes: { user: 2000, kernel: 0, dpc: 0, isr: 0 },
  root,
  groups: [],
  functions: [],
  function_count: 0,
  butterfly: null,
  hot_loops: [],
};
const WALK = `1,500 samples (75.0 %), 1.5 s; in the last frame itself 500 samples (25.0 %)
app.exe (pid 16)
app.exe!main
app.exe!walk`;

test('a stack is copied from the outermost frame to the chosen one, also where the picture is zoomed in', () => {
  const boxes = layOut(root, null);
  const walk = boxes.findIndex(({ node: { label } }) => label === 'app.exe!walk');
  const zoomed = layOut(root, boxes[walk]?.node.key ?? null);
  const at = zoomed.filter(({ spine }) => spine).length - 1;
  expect([copiedStack(boxes, walk, model), copiedStack(zoomed, at, model)]).toEqual([WALK, WALK]);
});

test('all samples together have no stack', () => {
  expect(copiedStack(layOut(root, null), 0, model)).toBeNull();
});

test('the heaviest stack of a function is that of its largest frame', () => {
  expect(heaviestStack('app.exe!read', model)?.split('\n').slice(1)).toEqual([
    'app.exe (pid 16)',
    'app.exe!main',
    'app.exe!walk',
    'app.exe!read',
  ]);
  expect(heaviestStack('app.exe!idle', model)).toBeNull();
});
