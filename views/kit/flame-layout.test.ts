import { expect, test } from 'vitest';
import { layOut, steppedTo } from './flame-layout.ts';
import type { FlameNode } from './flame-node.ts';

const node = (key: number, children: readonly FlameNode[] = []): FlameNode => ({
  key,
  label: `f${key}`,
  module: '',
  samples: 1 + children.reduce((sum, { samples }) => sum + samples, 0),
  self: 1,
  children,
});
const boxes = layOut(node(0, [node(1, [node(2)]), node(3)]), null);

test('arrow keys walk along callers, callees and their neighbours, and stay at the edges', () => {
  const walk = (keys: readonly string[], upward = false) =>
    boxes[keys.reduce((at, key) => steppedTo(boxes, at, key, upward) ?? at, 0)]?.node.key;
  expect(walk(['ArrowDown'])).toBe(1);
  expect(walk(['ArrowDown', 'ArrowDown'])).toBe(2);
  expect(walk(['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown'])).toBe(3);
  expect(walk(['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowLeft'])).toBe(1);
  expect(walk(['ArrowUp', 'ArrowUp'], true)).toBe(2);
  expect(walk(['ArrowDown', 'ArrowDown', 'Home'])).toBe(0);
  expect(steppedTo(boxes, 0, 'x', false)).toBeNull();
});
