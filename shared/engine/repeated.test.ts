import { expect, test } from 'vitest';
import { readHalves, readReals } from './repeated.ts';
import { processorWith } from './testing/start.ts';
import { TraceWriter } from './testing/trace-writer.ts';
import { decodeQueryResult } from './decode.ts';

async function gather(values: string): Promise<Uint8Array> {
  const processor = await processorWith(new TraceWriter().start(1000, 1000).finish());
  const sql = `SELECT RepeatedField(column1) AS gathered FROM (VALUES ${values})`;
  const cell = decodeQueryResult(processor.query(sql)).cell(0, 0);
  if (!(cell instanceof Uint8Array)) throw new Error('the engine gave no blob');
  return cell;
}

test('integers come as their halves, reals as they are', async () => {
  expect(readHalves(await gather(`(1), (${7 * 2 ** 32 + 5}), (-1)`))).toEqual(
    Int32Array.of(1, 0, 5, 7, -1, -1),
  );
  expect(readReals(await gather('(0.5), (CAST(9007199254740991 AS REAL))'))).toEqual(
    Float64Array.of(0.5, 9007199254740991),
  );
});

test('values of the other type are refused, and so are damaged ones', async () => {
  const reals = await gather('(0.5)');
  expect(() => readHalves(reals)).toThrow('a repeated field holds values of another type');
  expect(() => readReals(reals.subarray(0, 8))).toThrow('the bytes end inside a field');
});
