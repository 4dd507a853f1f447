import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ViewTable } from '../../shared/view/index.ts';
import { bounded, SIZE_BYTES } from './bound.ts';
import { MARK_NOTE } from './mark.ts';
import { write } from './write.ts';

const column = (name: string, kind: ViewTable['columns'][number]['kind']) => ({
  name,
  title: name,
  help: '',
  kind,
});
const waits = (count: number): ViewTable => ({
  title: 'Waits',
  columns: [column('thread', 'text'), column('ready_ns', 'duration_ns'), column('longest_ns', 'duration_ns')],
  rows: Array.from({ length: count }, (_, at) => [`a.exe (tid ${at})`, 1000 - at, 5]),
});

test('an answer says what is not listed, and what it sums to', () => {
  const draft = write('view', 'a.etl', { says: ['3 waits.'], tables: [waits(3)] }, null);
  expect(JSON.parse(bounded(draft, SIZE_BYTES.usual, 1))).toEqual({
    version: 1,
    tool: 'view',
    note: MARK_NOTE,
    trace: '«a.etl»',
    says: ['«3 waits.»'],
    tables: [
      {
        title: 'Waits',
        columns: ['thread', 'ready_ns', 'longest_ns'],
        rows: [['«a.exe (tid 0)»', 1000, 5]],
        rest: { rows: 2, sums: { ready_ns: 1997 } },
      },
    ],
    left_out: [],
    evidence: [],
    not_concluded: [],
    not_recorded: [],
    next: [],
  });
});

test('as many rows are listed as fit', () => {
  const text = bounded(write('view', 'a.etl', { says: [], tables: [waits(5000)] }, null), SIZE_BYTES.usual);
  const { tables } = JSON.parse(text) as { tables: [{ rows: unknown[]; rest: { rows: number } }] };
  expect(Buffer.byteLength(text)).toBeGreaterThan(SIZE_BYTES.usual - 100);
  expect(tables[0].rows.length + tables[0].rest.rows).toBe(5000);
});

test('no answer is longer than it may be, whatever a trace holds', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 3000 });
  const table = fc.array(text, { maxLength: 40 }).map((cells): ViewTable => ({
    title: 'T',
    columns: [column('a', 'text')],
    rows: cells.map((cell) => [cell]),
  }));
  const lists = fc.array(text, { maxLength: 12 });
  const answer = fc.record({
    says: lists,
    tables: fc.array(table, { maxLength: 3 }),
    left_out: lists,
    evidence: lists,
    not_recorded: lists,
  });
  fc.assert(
    fc.property(
      answer,
      text,
      fc.integer({ min: SIZE_BYTES.least, max: 20_000 }),
      (given, name, size_bytes) => {
        const told = bounded(write('view', name, given, 'outrank://open#3.x'), size_bytes);
        JSON.parse(told);
        expect(Buffer.byteLength(told)).toBeLessThanOrEqual(size_bytes);
      },
    ),
    { numRuns: 60 },
  );
});
