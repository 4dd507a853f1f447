import { expect, test } from 'vitest';
import { unpackBatch } from './packed-batch.ts';
import type { ColumnInfo } from './table-info.ts';

const COLUMNS: readonly ColumnInfo[] = [
  { name: 'ts', form: { kind: 'int', bytes: 8, signed: true } },
  { name: 'cpu', form: { kind: 'int', bytes: 2, signed: false } },
];

/** A batch of these values, of the columns above. */
function packed(ts: readonly bigint[], cpu: readonly number[]): Uint8Array {
  const head = new Uint32Array([ts.length, 0, 8 * ts.length, 0, 0, 2 * cpu.length, 0]);
  const bytes = new Uint8Array(32 + 8 * ts.length + 8 * Math.ceil(cpu.length / 4));
  bytes.set(new Uint8Array(head.buffer));
  bytes.set(new Uint8Array(BigInt64Array.from(ts).buffer), 32);
  bytes.set(new Uint8Array(Uint16Array.from(cpu).buffer), 32 + 8 * ts.length);
  return bytes;
}

test('the columns of a batch lie in the memory that it came in, and in no other', () => {
  const bytes = packed([-1n, 0n, 1n, -(2n ** 40n) - 3n, 2n ** 53n], [1, 2, 3, 4, 65535]);
  const [ts, cpu] = unpackBatch('etw_run', bytes, COLUMNS).columns;
  expect(ts?.values).toEqual(Float64Array.of(-1, 0, 1, -(2 ** 40) - 3, 2 ** 53));
  expect(cpu?.values).toEqual(Uint16Array.of(1, 2, 3, 4, 65535));
  expect(new Set([ts?.values.buffer, cpu?.values.buffer])).toEqual(new Set([bytes.buffer]));
});

test('a batch that begins anywhere in its memory is read all the same', () => {
  const bytes = packed([7n, -7n], [8, 9]);
  const moved = new Uint8Array(bytes.length + 3);
  moved.set(bytes, 3);
  const [ts, cpu] = unpackBatch('etw_run', moved.subarray(3), COLUMNS).columns;
  expect([ts?.values, cpu?.values]).toEqual([Float64Array.of(7, -7), Uint16Array.of(8, 9)]);
});
