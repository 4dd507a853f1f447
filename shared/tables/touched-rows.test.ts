import { expect, test } from 'vitest';
import { BLOCK_ROWS, memorySource, STARTS_METADATA, TIMES_METADATA } from '../columns/index.ts';
import { arrowFile } from '../columns/testing/arrow-files.ts';
import { openArrowSet } from './arrow-set.ts';
import { numberAt, textAt, type ReadHow, type Stretch } from './tables.ts';

const ROWS = 5000;
const BATCH_ROWS = 2500;

/** Runs in the order of their ends; each hundredth began long before. */
const runs = Array.from({ length: ROWS }, (_, index) => {
  const te = 10 * index + 10;
  const ts = Math.max(0, te - (index % 100 === 99 ? 9000 : 10 + (index % 7)));
  return {
    ...{ ts, te },
    cpu: index % 5 === 0 ? null : index % 16,
    ended: index % 3 === 0 ? null : index % 2,
    reason: ['Executive', 'UserRequest', null][index % 3] ?? null,
  };
});

const batches = [runs.slice(0, BATCH_ROWS), runs.slice(BATCH_ROWS)];
const leastOf = (rows: typeof runs) => Math.min(...rows.map(({ ts }) => ts));
const times = batches.map((batch) => [
  String(leastOf(batch)),
  String(Math.max(...batch.map(({ te }) => te))),
]);
const starts = batches.map((batch) =>
  Array.from({ length: Math.ceil(batch.length / BLOCK_ROWS) }, (_, block) => {
    const rows = batch.slice(BLOCK_ROWS * block, BLOCK_ROWS * (block + 1));
    return leastOf(rows) - leastOf(batch);
  }),
);
const file = arrowFile({
  columns: { ts: 'int64', te: 'int64', cpu: 'uint8', ended: 'bool', reason: 'dictionary8' },
  rows: runs.map(({ ts, te, cpu, ended, reason }) => {
    return [BigInt(ts), BigInt(te), cpu, ended === null ? null : ended === 1, reason];
  }),
  batchRows: BATCH_ROWS,
  metadata: { [TIMES_METADATA]: JSON.stringify(times), [STARTS_METADATA]: JSON.stringify(starts) },
});
const { tables } = openArrowSet(new Map([['etw_run', memorySource('run.arrow', file)]]));

/** How many rows are read of a range, and those that it touches. */
async function read(range: Stretch, how?: ReadHow) {
  const names = ['ts', 'te', 'cpu', 'ended', 'reason'] as const;
  const touched = [];
  let count = 0;
  for await (const { rowCount, columns } of tables.batches('etw_run', names, range, how)) {
    count += rowCount;
    for (let row = 0; row < rowCount; row++) {
      const number = (name: 'ts' | 'te' | 'cpu' | 'ended') => numberAt(columns[name], row);
      const [ts, te] = [number('ts') ?? 0, number('te') ?? 0];
      if (ts < range.end && te > range.start)
        touched.push({
          ts,
          te,
          cpu: number('cpu'),
          ended: number('ended'),
          reason: textAt(columns.reason, row),
        });
    }
  }
  return { count, touched };
}

test.each([
  ['the first rows', { start: -Infinity, end: 55 }],
  ['rows of one batch', { start: 4003, end: 4100 }],
  ['rows about the end of a batch', { start: 24_950, end: 25_050 }],
  ['the last rows', { start: 49_990, end: Infinity }],
])('of a short range %s are read with all that touch it, and few beside them', async (_, range) => {
  const expected = runs.filter(({ ts, te }) => ts < range.end && te > range.start);
  const { count, touched } = await read(range, 'part');
  expect(touched).toEqual(expected);
  expect(count).toBeLessThan(BATCH_ROWS);
});

test('of a range with all of a batch all is read', async () => {
  const all = await read({ start: 0, end: 60_000 }, 'part');
  expect(all).toEqual({ count: ROWS, touched: runs });
});
