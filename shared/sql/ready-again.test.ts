import { expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';

const WAITING = 5;

test('a thread that is made ready again waits from the first time on, and could run from the last', async () => {
  const trace = new TraceWriter()
    .start(10, 0)
    .fact(10, 'etw.trace', { schema: 1, end_ts: 100 })
    .process(10, 'a.exe', '', { pid: 4 })
    .thread(10, null, { tid: 5, pid: 4 })
    .thread(10, null, { tid: 6, pid: 4 })
    .contextSwitch(20, 0, [6, WAITING, 6], [0, 0])
    .readyThread(30, 0, 5, 6)
    .readyThread(40, 0, 5, 6)
    .readyThread(50, 0, 5, 6)
    .contextSwitch(60, 0, [0, 2, 0], [5, 8, { state: WAITING }])
    .contextSwitch(70, 0, [5, WAITING, 6], [0, 0])
    .readyThread(80, 0, 5, 6);
  const sql = 'SELECT ts, dur, last_ready_ts FROM etw_ready_wait';
  expect(rowsOf(await processorWith(trace.fact(100, 'etw.end').finish()), sql)).toEqual([
    { ts: 30, dur: 30, last_ready_ts: 50 },
    { ts: 80, dur: 20, last_ready_ts: null },
  ]);
});
