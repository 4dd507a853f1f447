import { beforeAll, describe, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';

const WAITING = 5;
const NONE = 0xffffffff;
const sample = { rank: 0, outPriority: 8, waitReason: 6, state: WAITING };

/** Thread 20 is described. Threads 24 and 28 are not; an event of thread 28 names process 12. Thread 32 has the id of a later one. */
const trace = new TraceWriter()
  .start(1000, 0)
  .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, start_ts: 1000, end_ts: 2000 })
  .process(1000, 'app.exe', '', { pid: 16 })
  .thread(1000, 'UI', { tid: 20, pid: 16 })
  .contextSwitch(1100, 0, [0, 2, 0], [20, 8, sample])
  .readyThread(1150, 0, 24, 20)
  .contextSwitch(1200, 0, [20, WAITING, 6], [24, 8, sample])
  .contextSwitch(1300, 0, [24, WAITING, 6], [28, 8, sample])
  .genericEvent(1310, 'Provider/Event', [12, 28], 1, {})
  .contextSwitch(1400, 0, [28, WAITING, 6], [32, 8, sample])
  .contextSwitch(1500, 0, [32, WAITING, 6], [NONE, 8, sample])
  .contextSwitch(1600, 0, [NONE, WAITING, 6], [0, 0])
  .free(1690, 32)
  .thread(1700, null, { tid: 32, pid: 16, create_ts: 1700 })
  .contextSwitch(1800, 0, [0, 2, 0], [32, 8, sample])
  .contextSwitch(1900, 0, [32, WAITING, 6], [0, 0])
  .fact(2000, 'etw.end')
  .finish();

let processor: TraceProcessor;
beforeAll(async () => (processor = await processorWith(trace)));

describe('threads that nothing describes', () => {
  test('have a row, with the process that their events name', () => {
    expect(
      rowsOf(
        processor,
        'SELECT tid, pid, process_name, name, create_ts FROM etw_thread ORDER BY tid, create_ts',
      ),
    ).toEqual([
      { tid: 20, pid: 16, process_name: 'app.exe', name: 'UI', create_ts: null },
      { tid: 24, pid: null, process_name: null, name: null, create_ts: null },
      { tid: 28, pid: 12, process_name: 'pid 12', name: null, create_ts: null },
      { tid: 32, pid: null, process_name: null, name: null, create_ts: null },
      { tid: 32, pid: 16, process_name: 'app.exe', name: null, create_ts: 1700 },
    ]);
    expect(rowsOf(processor, 'SELECT pid, name FROM etw_process ORDER BY pid')).toEqual([
      { pid: 12, name: 'pid 12' },
      { pid: 16, name: 'app.exe' },
    ]);
  });

  test('keep their CPU time and their waits, each incarnation its own', () => {
    expect(
      rowsOf(
        processor,
        `SELECT t.tid, t.create_ts, SUM(r.dur) AS ran_ns
         FROM etw_run AS r JOIN etw_thread AS t USING (utid) GROUP BY t.utid ORDER BY t.tid, t.create_ts`,
      ),
    ).toEqual([
      { tid: 20, create_ts: null, ran_ns: 100 },
      { tid: 24, create_ts: null, ran_ns: 100 },
      { tid: 28, create_ts: null, ran_ns: 100 },
      { tid: 32, create_ts: null, ran_ns: 100 },
      { tid: 32, create_ts: 1700, ran_ns: 100 },
    ]);
    expect(rowsOf(processor, 'SELECT tid, dur FROM etw_ready_wait JOIN etw_thread USING (utid)')).toEqual([
      { tid: 24, dur: 50 },
    ]);
  });
});
