import { expect, test } from 'vitest';
import type { FlameNode } from './flame-node.ts';
import { growFlame, PATH_END, TOO_NARROW } from './grow-flame.ts';

/** The tree of paths with weights, a frame a line: its samples, and how many of these are in itself. */
function drawn(
  paths: readonly (readonly [path: string, weight: number])[],
  end = PATH_END,
): readonly string[] {
  const line = ({ label, samples, self, children }: FlameNode): string[] => [
    `${label} ${samples} ${self}`,
    ...children.flatMap((child) => line(child).map((text) => ` ${text}`)),
  ];
  const root = growFlame(
    Float64Array.from(paths, ([, weight]) => weight),
    (path, depth) => paths[path]?.[0].codePointAt(depth) ?? end,
    (frame) => ({ label: String.fromCodePoint(frame), module: '' }),
  );
  return line(root);
}

test('most samples first; of frames that are alike the first one', () => {
  const paths = [
    ['ab', 2],
    ['a', 1],
    ['cb', 4],
    ['ad', 3],
    ['eb', 4],
  ] as const;
  expect(drawn(paths)).toEqual([
    'all 14 0',
    ' a 6 1',
    '  d 3 3',
    '  b 2 2',
    ' c 4 0',
    '  b 4 4',
    ' e 4 0',
    '  b 4 4',
  ]);
});

test('frames with less than a thousandth are left out, and still belong to what they are in', () => {
  expect(
    drawn([
      ['ab', 999],
      ['ac', 1],
      ['d', 1],
    ]),
  ).toEqual(['all 1001 0', ' a 1000 0', '  b 999 999']);
});

test('what goes on below in frames that are too narrow is in no frame itself', () => {
  expect(
    drawn(
      [
        ['a', 5],
        ['b', 2],
      ],
      TOO_NARROW,
    ),
  ).toEqual(['all 7 0', ' a 5 0', ' b 2 0']);
});
