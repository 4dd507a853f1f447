import { beforeAll, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';

const READY = 1;
const WAITING = 5;

/** Thread 20 goes from rank 0 to 2 and back to 0; thread 21 stays at rank 0. */
function rankWalk(): Uint8Array {
  const trace = new TraceWriter()
    .start(1000, 0)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .process(1000, 'LockApp.exe', '', { pid: 16 })
    .thread(1000, null, { tid: 20, pid: 16 })
    .thread(1000, null, { tid: 21, pid: 16 });
  const runs = [
    [1100, 20, 8, { rank: 0, outPriority: 8, state: WAITING }],
    [1200, 21, 8, { rank: 0, outPriority: 8, state: WAITING }],
    [1300, 20, 14, { rank: 2, outPriority: 13, state: READY }],
    [1400, 20, 13, { rank: 2, outPriority: 13, state: WAITING }],
    [1500, 20, 13, { rank: 0, outPriority: 8, state: WAITING }],
    [1600, 20, 8, {}],
  ] as const;
  let last: readonly [number, number, number] = [0, 2, 0];
  for (const [ts, tid, priority, sample] of runs) {
    trace.contextSwitch(ts, 0, last, [tid, priority, sample]);
    last = [tid, WAITING, 6];
  }
  return trace.fact(2000, 'etw.end').finish();
}

let processor: TraceProcessor;
beforeAll(async () => (processor = await processorWith(rankWalk())));

test('etw_thread_rank has spans between ends of runs, only of threads that left rank 0', () => {
  expect(
    rowsOf(
      processor,
      `SELECT ts, dur, tid, rank, last_rank, changed_after_ts, reason
       FROM etw_thread_rank JOIN etw_thread USING (utid)`,
    ),
  ).toEqual([
    { ts: 1200, dur: 200, tid: 20, rank: 0, last_rank: null, changed_after_ts: null, reason: 'first' },
    { ts: 1400, dur: 200, tid: 20, rank: 2, last_rank: 0, changed_after_ts: 1200, reason: 'changed' },
    { ts: 1600, dur: 400, tid: 20, rank: 0, last_rank: 2, changed_after_ts: 1500, reason: 'changed' },
  ]);
});

test('etw_thread_priority says where each priority was first seen', () => {
  expect(
    rowsOf(
      processor,
      `SELECT ts, dur, priority, reason FROM etw_thread_priority
       WHERE utid = (SELECT utid FROM etw_thread WHERE tid = 20)`,
    ),
  ).toEqual([
    { ts: 1100, dur: 200, priority: 8, reason: 'first' },
    { ts: 1300, dur: 100, priority: 14, reason: 'switch_in' },
    { ts: 1400, dur: 200, priority: 13, reason: 'switch_out' },
    { ts: 1600, dur: 400, priority: 8, reason: 'switch_out' },
  ]);
});
