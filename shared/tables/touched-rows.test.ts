import { expect, test } from 'vitest';
import {
  BLOCK_ROWS,
  ENDS_METADATA,
  memorySource,
  STARTS_METADATA,
  TIMES_METADATA,
} from '../columns/index.ts';
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

const ALL = { start: 0, end: 60_000 };
const batches = [runs.slice(0, BATCH_ROWS), runs.slice(BATCH_ROWS)];
const leastOf = (rows: typeof runs) => Math.min(...rows.map(({ ts }) => ts));
const times = batches.map((batch) => [
  String(leastOf(batch)),
  String(Math.max(...batch.map(({ te }) => te))),
]);
const ofBlocks = (timeOf: (rows: typeof runs) => number) =>
  JSON.stringify(
    batches.map((batch) =>
      Array.from({ length: Math.ceil(batch.length / BLOCK_ROWS) }, (_, block) => {
        const rows = batch.slice(BLOCK_ROWS * block, BLOCK_ROWS * (block + 1));
        return timeOf(rows) - leastOf(batch);
      }),
    ),
  );
const file = arrowFile({
  columns: { ts: 'int64', te: 'int64', cpu: 'uint8', ended: 'bool', reason: 'dictionary8' },
  rows: runs.map(({ ts, te, cpu, ended, reason }) => {
    return [BigInt(ts), BigInt(te), cpu, ended === null ? null : ended === 1, reason];
  }),
  batchRows: BATCH_ROWS,
  metadata: {
    [TIMES_METADATA]: JSON.stringify(times),
    [STARTS_METADATA]: ofBlocks(leastOf),
    [ENDS_METADATA]: ofBlocks((rows) => rows.at(-1)?.te ?? 0),
  },
});
/** What is read of some ranges: how many rows, and those that any of them touches. */
async function read(ranges: readonly Stretch[], how?: ReadHow) {
  // What was read before would be at hand.
  const { tables } = openArrowSet(new Map([['etw_run', memorySource('run.arrow', file)]]));
  const names = ['ts', 'te', 'cpu', 'ended', 'reason'] as const;
  const [range] = ranges;
  const touched = [];
  let count = 0;
  for await (const batch of tables.batches('etw_run', names, ranges.length > 1 ? ranges : range, how)) {
    count += batch.rowCount;
    for (let row = 0; row < batch.rowCount; row++) {
      const number = (name: 'ts' | 'te' | 'cpu' | 'ended') => numberAt(batch.columns[name], row);
      const [ts, te] = [number('ts') ?? 0, number('te') ?? 0];
      if (!ranges.some(({ start, end }) => ts < end && te > start)) continue;
      const [cpu, ended, reason] = [number('cpu'), number('ended'), textAt(batch.columns.reason, row)];
      touched.push({ number: batch.firstRow + row, ts, te, cpu, ended, reason });
    }
  }
  return { count, touched };
}

/** The runs that some ranges touch, by their numbers. */
function touchedBy(ranges: readonly Stretch[]) {
  const numbered = runs.map((run, number) => ({ number, ...run }));
  return numbered.filter(({ ts, te }) => ranges.some(({ start, end }) => ts < end && te > start));
}

test.each([
  ['the first rows', { start: -Infinity, end: 55 }],
  ['rows of one batch', { start: 4003, end: 4100 }],
  ['rows about the end of a batch', { start: 24_950, end: 25_050 }],
  ['the last rows', { start: 49_990, end: Infinity }],
])('of a short range %s are read with all that touch it, and few beside them', async (_, range) => {
  const { count, touched } = await read([range], 'part');
  expect(touched).toEqual(touchedBy([range]));
  expect(count).toBeLessThan(BATCH_ROWS);
});

test('how many rows the batches have that a range touches is known before any is read', async () => {
  const { tables } = openArrowSet(new Map([['etw_run', memorySource('run.arrow', file)]]));
  expect(await tables.rowCount('etw_run', { start: 0, end: 10 })).toBe(BATCH_ROWS);
  expect(await tables.rowCount('etw_run', [{ start: 0, end: 10 }, ALL])).toBe(ROWS);
});

test('of a range with all of a batch all is read', async () => {
  expect(await read([ALL], 'part')).toEqual({ count: ROWS, touched: touchedBy([ALL]) });
});

test.each([
  ['far apart', [50, 49_000]],
  ['near one another, some twice', [20_100, 20_110, 20_110, 20_400]],
])('of several ranges %s each row is read once, and not all beside them', async (_, starts) => {
  const ranges = starts.map((start) => ({ start, end: start + 30 }));
  const { count, touched } = await read(ranges);
  expect(touched).toEqual(touchedBy(ranges));
  expect(count).toBeLessThan(ROWS);
});
