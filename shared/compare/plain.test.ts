import { expect, test } from 'vitest';
import type { Cell } from './cells.ts';
import { Lengths } from './lengths.ts';
import type { Measured } from './measure.ts';
import { measuredOf, plainOf } from './plain.ts';

const counts = Float64Array.of(0, 1, 127, 128, 300_000, 2 ** 40);
const lengths = new Lengths(Float64Array.of(0, 0.5, 1e9, 2e9, 3e9, 4e9), [17], counts);

const measured: Measured = {
  name: 'trace.etl',
  range: { start: 0, end: 6e9 },
  isWhole: true,
  blocks: new Float64Array(6).fill(1e9),
  leftOut_ns: 0,
  recorded: {
    facts: new Map([['CPUs', '4']]),
    held: new Set(['switches']),
    redacted: null,
    providers: ['Thread'],
    missing_part: 0,
  },
  processes: [{ image: 'app.exe', command: null, parent: null, count: 1 }],
  threads: [{ process: 0, name: 'Worker', tids: [44] }],
  cells: [
    {
      thread: 0,
      detail: { measure: 'cpu', rank: 0, priority: 8 },
      ns: Float64Array.of(0.25, 1, 2, 3, 4, 5),
      count: counts,
      lengths: new Map([[3, 5]]),
      functions: new Map(),
      most: { ts: 1, te: 2, tid: 3, counted_ns: 1 },
    },
  ],
  lengths: new Map([[0, lengths]]),
  episodes: new Map([['input', lengths]]),
  lives: [{ process: 0, starts: counts, exits: new Float64Array(6) }],
  stacks: new Map([[0, { label: 'all', module: '', ns: 2, children: [] }]]),
};

test('what travels comes back as it was, in any memory that bytes stand in', () => {
  const plain = plainOf(measured);
  const back = measuredOf(plain);
  expect({ ...back, cells: back.cells.map(mapped) }).toStrictEqual(measured);
  // As a file gives them: in a memory that others share, from an odd place on.
  const shifted = Buffer.concat([Buffer.from([0]), plain.blocks]).subarray(1);
  expect(measuredOf({ ...plain, blocks: shifted }).blocks).toStrictEqual(measured.blocks);
});

/** A cell whose counts of lengths are a map. */
function mapped(cell: Cell): Cell {
  const lengths = new Map<number, number>();
  cell.lengths.forEach((count, of) => lengths.set(of, count));
  expect(cell.lengths.size).toBe(lengths.size);
  return { ...cell, lengths };
}
