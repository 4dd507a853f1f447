import { expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';

const WAITING = 5;
/** As many as `etw_ready_wait_long` has. */
const LONG = 10_000;

test('a wait that begins when a long one of another thread does is counted among the rest', async () => {
  const end = 100 * (LONG + 1);
  const trace = new TraceWriter()
    .start(10, 0)
    .fact(10, 'etw.trace', { schema: 1, end_ts: end })
    .process(10, 'a.exe', '', { pid: 4 })
    .thread(10, null, { tid: 5, pid: 4 })
    .thread(10, null, { tid: 6, pid: 4 });
  for (let ts = 100; ts < end; ts += 100) {
    trace.readyThread(ts, 0, 5, 0);
    if (ts === 100)
      trace
        .readyThread(ts, 1, 6, 0)
        .contextSwitch(ts + 20, 1, [0, 2, 0], [6, 8, { state: WAITING }])
        .contextSwitch(ts + 30, 1, [6, WAITING, 6], [0, 0]);
    trace
      .contextSwitch(ts + 50, 0, [0, 2, 0], [5, 8, { state: WAITING }])
      .contextSwitch(ts + 60, 0, [5, WAITING, 6], [0, 0]);
  }
  const processor = await processorWith(trace.fact(end, 'etw.end').finish());
  const sql = `
    SELECT 'long' AS of, t.tid, COUNT(*) AS waits, SUM(dur) AS sum_ns
    FROM etw_ready_wait_long JOIN etw_thread AS t USING (utid) GROUP BY tid
    UNION ALL
    SELECT 'rest', t.tid, waits, sum_ns FROM etw_ready_wait_rest JOIN etw_thread AS t USING (utid)`;
  expect(rowsOf(processor, sql)).toEqual([
    { of: 'long', tid: 5, waits: LONG, sum_ns: 50 * LONG },
    { of: 'rest', tid: 6, waits: 1, sum_ns: 20 },
  ]);
});
