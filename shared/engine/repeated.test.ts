import { expect, test } from 'vitest';
import { decodeQueryResult } from './decode.ts';
import { halvesOf, realsOf } from './repeated.ts';
import type { QueryResult } from './result.ts';
import { processorWith } from './testing/start.ts';
import { TraceWriter } from './testing/trace-writer.ts';

/** A row for each list of values. */
async function gather(...lists: readonly string[]): Promise<QueryResult> {
  const processor = await processorWith(new TraceWriter().start(1000, 1000).finish());
  const rows = lists.map((values) => `SELECT RepeatedField(column1) AS gathered FROM (VALUES ${values})`);
  return decodeQueryResult(processor.query(rows.join(' UNION ALL ')));
}

test('integers come as their halves, reals as they are, those of all rows joined', async () => {
  expect(halvesOf(await gather(`(1), (${7 * 2 ** 32 + 5})`, '(-1)'), 'gathered')).toEqual({
    lower: Int32Array.of(1, 5, -1),
    upper: Int32Array.of(0, 7, -1),
  });
  expect(realsOf(await gather('(0.5)', '(CAST(9007199254740991 AS REAL)), (2.0)'), 'gathered')).toEqual(
    Float64Array.of(0.5, 9007199254740991, 2),
  );
});

test('no rows have no values, and values of the other type are refused', async () => {
  const processor = await processorWith(new TraceWriter().start(1000, 1000).finish());
  const none = processor.query('SELECT RepeatedField(1) AS gathered WHERE 0');
  expect(realsOf(decodeQueryResult(none), 'gathered')).toEqual(new Float64Array(0));
  const reals = await gather('(0.5)');
  expect(() => halvesOf(reals, 'gathered')).toThrow('a repeated field holds values of another type');
});
