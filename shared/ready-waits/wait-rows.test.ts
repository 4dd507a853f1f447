import { expect, test } from 'vitest';
import type { Batch, Values } from '../tables/index.ts';
import type { ThreadName } from '../threads/index.ts';
import type { JudgedRanks } from '../why-late/columns/index.ts';
import { ProcessCodes } from './process-codes.ts';
import { binOf } from './bin-of.ts';
import type { WaitRows } from './wait-bins.ts';
import { waitKey } from './wait-key.ts';
import { countsByProcess, gatherWaits, type WAIT_COLUMNS } from './wait-rows.ts';

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
function batchesOf(waits: readonly Wait[]): readonly Batch<(typeof WAIT_COLUMNS.waits)[number]>[] {
  return [0, 2, 4, 6, 8].map((from) => {
    const some = waits.slice(from, from + 2);
    const causes = some.map(([, , , , cause]) => (cause === 'wake' ? 0 : 1));
    return {
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
    };
  });
}

/** Of the threads 1 and 3 one process is known, of 2 another one. */
const names = new Map([2, 1, 2, null].map((upid, utid) => [utid, ofProcess(upid)]));

test('waits of a batch that the range touches come process after process, first those of unknown ones', () => {
  const waits: readonly Wait[] = [
    [0, 10, 1, 0, 'wake'],
    [5, 2_005, 1, 0, 'wake'],
    [100, 50_100, 3, 2, 'preempted'],
    [200, 1_210, 2, null, 'wake'],
    [300, 60_300, 0, 2, 'preempted'],
    [400, 50_400, 1, 1, 'preempted'],
    [500, 1_500, 4, 0, 'wake'],
    [600, 2_006, 4, 0, 'wake'],
    [1_000, 2_000, 1, 0, 'wake'],
  ];
  const judgement = {
    ...{ utid: 1, ts: 400, dur: 50_000, rank_before: 1, rank_after: 3, rank: 3 },
    ...{ before_explains_ns: 0, after_explains_ns: 50_000, put_aside_better: false },
  };
  const judged: JudgedRanks = { of: (utid, ts) => (utid === 1 && ts === 400 ? judgement : undefined) };
  // One that was counted ends at 2,006.
  const which = { start: 10, end: 1_000, leftOut: { after_ts: 2_005, until_ts: 2_006 } };
  const processes = new ProcessCodes(names);
  const batches = batchesOf(waits).map((batch) => gatherWaits(batch, which, judged, processes));
  // Codes of ranks are one higher than the rank; 0 is none.
  const row = (of: number, rankCode: number, preempted: 0 | 1, dur_ns: number) => {
    return [of, waitKey(rankCode, 10, preempted, binOf(dur_ns)), dur_ns];
  };
  const rowsOf = ({ utid, key, dur_ns }: WaitRows) =>
    Array.from(utid, (_, at) => [utid[at], key[at], dur_ns[at]]);
  expect(batches.map(rowsOf)).toEqual([
    [row(1, 1, 0, 2_000)],
    [row(3, 3, 1, 50_000), row(2, 0, 0, 1_010)],
    [row(1, 4, 1, 50_000), row(0, 3, 1, 60_000)],
    [row(4, 1, 0, 1_000)],
    [],
  ]);
  expect(batches.slice(1, 3).map(({ byProcess }) => byProcess)).toEqual([
    { starts: Uint32Array.of(0, 1), ends: Uint32Array.of(1, 2), pieceEnds: Uint32Array.of(1, 1, 1, 2) },
    { starts: Uint32Array.of(0, 1), ends: Uint32Array.of(1, 2), pieceEnds: Uint32Array.of(0, 0, 1, 2) },
  ]);
});

test('counts stay where they are, and pieces of them come process after process', () => {
  const batch: Batch<(typeof WAIT_COLUMNS.counts)[number]> = {
    firstRow: 0,
    rowCount: 4,
    columns: {
      ...{ utid: column([0, 0, 1, 3]), rank: column([null, 1, 0, 2]), priority: column([8, 8, 9, null]) },
      ...{
        cause: { ...column([1, 0, 0, 0]), texts: ['wake', 'preempted'] },
        bin: column([300, 301, 200, 310]),
      },
      ...{ waits: column([40, 1, 50, 2]), sum_ns: column([40_400, 1_025, 4_000, 2_600]) },
      max_ns: column([1_011, 1_025, 99, 1_301]),
    },
  };
  expect(countsByProcess([batch], new ProcessCodes(names))).toEqual({
    utid: Uint32Array.of(0, 0, 1, 3),
    key: Uint32Array.of(
      ...[waitKey(0, 9, 1, 300), waitKey(2, 9, 0, 301)],
      ...[waitKey(1, 10, 0, 200), waitKey(3, 0, 0, 310)],
    ),
    waits: Uint32Array.of(40, 1, 50, 2),
    sum_ns: Float64Array.of(40_400, 1_025, 4_000, 2_600),
    max_ns: Float64Array.of(1_011, 1_025, 99, 1_301),
    byProcess: {
      starts: Uint32Array.of(3, 2, 0),
      ends: Uint32Array.of(4, 3, 2),
      pieceEnds: Uint32Array.of(1, 1, 2, 3),
    },
  });
});
