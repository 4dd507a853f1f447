import { expect, test } from 'vitest';
import { joinStacks, type StackNode } from './stacks.ts';

const node = (label: string, ns: number, ...children: StackNode[]): StackNode => ({
  label,
  module: 'a.dll',
  ns,
  children,
});

test('frames with the same callers are one, and those of A are scaled', () => {
  const a = node('all', 10, node('main', 10, node('old', 4), node('draw', 6)));
  const b = node('all', 30, node('main', 30, node('draw', 30, node('main', 5))));
  const joined = joinStacks([a], [b], { a: 2, b: 1 });
  const told = ({ label, a_ns, b_ns, children }: typeof joined): unknown[] => [
    `${label} ${a_ns} ${b_ns}`,
    ...children.map(told),
  ];
  expect(told(joined)).toEqual(['all 20 30', ['main 20 30', ['draw 12 30', ['main 0 5']], ['old 8 0']]]);
});
