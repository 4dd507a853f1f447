import { expect, test } from 'vitest';
import type { Batch, Values } from '../tables/index.ts';
import type { ThreadName } from '../threads/index.ts';
import type { JudgedRanks } from '../why-late/columns/index.ts';
import { ProcessCodes } from './process-codes.ts';
import { binOf } from './bin-of.ts';
import { waitKey } from './wait-key.ts';
import { rowsByProcess, WAIT_ROW_COLUMNS } from './wait-rows.ts';

type Wait = readonly [ts: number, te: number, utid: number, rank: number | null, cause: 'wake' | 'preempted'];

/** A thread of the process `upid`. */
const ofProcess = (upid: number | null): ThreadName => ({
  ...{ tid: 0, thread: null, upid, pid: null, process: null, services: null, service: null },
});

/** A column of numbers. */
const column = (numbers: readonly (number | null)[]): Values => ({
  values: Float64Array.from(numbers, (number) => number ?? 0),
  present: Uint8Array.from(numbers, (number) => Number(number !== null)),
  texts: null,
});

/** Waits at priority 9, in batches of two. */
async function* batchesOf(waits: readonly Wait[]): AsyncIterable<Batch<(typeof WAIT_ROW_COLUMNS)[number]>> {
  for (let from = 0; from < waits.length; from += 2) {
    const some = waits.slice(from, from + 2);
    const causes = some.map(([, , , , cause]) => (cause === 'wake' ? 0 : 1));
    yield await Promise.resolve({
      firstRow: from,
      rowCount: some.length,
      columns: {
        ts: column(some.map(([ts]) => ts)),
        te: column(some.map(([, te]) => te)),
        utid: column(some.map(([, , utid]) => utid)),
        rank: column(some.map(([, , , rank]) => rank)),
        priority: column(some.map(() => 9)),
        cause: { ...column(causes), texts: ['wake', 'preempted'] },
      },
    });
  }
}

test('waits that the range touches come process after process, first those of unknown ones', async () => {
  const waits: readonly Wait[] = [
    [0, 10, 1, 0, 'wake'],
    [5, 2_005, 1, 0, 'wake'],
    [100, 50_100, 3, 2, 'preempted'],
    [200, 1_210, 2, null, 'wake'],
    [300, 60_300, 0, 2, 'preempted'],
    [400, 50_400, 1, 1, 'preempted'],
    [500, 1_500, 4, 0, 'wake'],
    [1_000, 2_000, 1, 0, 'wake'],
  ];
  const names = new Map([2, 1, 2, null].map((upid, utid) => [utid, ofProcess(upid)]));
  const judgement = {
    ...{ utid: 1, ts: 400, dur: 50_000, rank_before: 1, rank_after: 3, rank: 3 },
    ...{ before_explains_ns: 0, after_explains_ns: 50_000, put_aside_better: false },
  };
  const judged: JudgedRanks = { of: (utid, ts) => (utid === 1 && ts === 400 ? judgement : undefined) };
  const within = { start: 10, end: 1_000 };
  const { utid, key, count, sum_ns, max_ns } = await rowsByProcess(
    batchesOf(waits),
    within,
    judged,
    new ProcessCodes(names),
  );
  const rows = Array.from(utid, (_, row) => [utid, key, count, sum_ns, max_ns].map((of) => of[row]));
  // Codes of ranks are one higher than the rank; 0 is none.
  const row = (of: number, rankCode: number, preempted: 0 | 1, dur_ns: number) => {
    return [of, waitKey(rankCode, 10, preempted, binOf(dur_ns)), 1, dur_ns, dur_ns];
  };
  expect(rows).toEqual([
    row(3, 3, 1, 50_000),
    row(4, 1, 0, 1_000),
    row(1, 1, 0, 2_000),
    row(1, 4, 1, 50_000),
    row(2, 0, 0, 1_010),
    row(0, 3, 1, 60_000),
  ]);
});
