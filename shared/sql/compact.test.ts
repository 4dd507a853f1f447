import { beforeAll, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';

/** What the converter writes where a switch does not tell the state: `Initialized` in the event, 14 in the sample. */
const UNKNOWN = 0;
const NOT_RECORDED = 14;

/** Compact switches of one CPU: thread 20 runs, waits for the wake by thread 21, runs, is put aside, runs again. */
function compactSwitches(): Uint8Array {
  const trace = new TraceWriter()
    .start(1000, 0)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000, ready_threads: 1 })
    .process(1000, 'app.exe', '', { pid: 16 })
    .thread(1000, null, { tid: 20, pid: 16 })
    .thread(1000, null, { tid: 21, pid: 16 });
  const ended = { outPriority: 9, state: NOT_RECORDED };
  let last = 0;
  const run = (ts: number, tid: number, priority: number) => {
    trace.contextSwitch(ts, 0, [last, UNKNOWN, 0], [tid, priority, ended]);
    last = tid;
  };
  run(1100, 20, 9);
  run(1200, 21, 9);
  trace.readyThread(1250, 0, 20, 21);
  run(1300, 20, 9);
  run(1400, 21, 9);
  run(1500, 20, 9);
  trace.contextSwitch(1600, 0, [20, UNKNOWN, 0], [0, 0]).fact(1600, 'etw.run_unknown', { cpu: 0 });
  return trace.fact(2000, 'etw.end').finish();
}

let processor: TraceProcessor;
beforeAll(async () => (processor = await processorWith(compactSwitches())));

test('of a run that a compact switch ended the priority is known, not the rank, the state and what follows from it', () => {
  expect(
    rowsOf(
      processor,
      `SELECT ts, dur, rank, ended, switch_out_priority, switch_out_state, switch_out_wait_reason, switch_out_wait_mode,
         switch_out_qos
       FROM etw_run WHERE ts = 1300`,
    ),
  ).toEqual([
    {
      ts: 1300,
      dur: 100,
      rank: null,
      ended: 1,
      switch_out_priority: 9,
      switch_out_state: null,
      switch_out_wait_reason: null,
      switch_out_wait_mode: null,
      switch_out_qos: null,
    },
  ]);
});

test('who came with the last switch is not known', () => {
  expect(rowsOf(processor, 'SELECT ts, te FROM etw_run WHERE ts > 1400')).toEqual([{ ts: 1500, te: 1600 }]);
  expect(rowsOf(processor, 'SELECT cpu, ts, te FROM _etw_cpu_gap')).toEqual([{ cpu: 0, ts: 1600, te: 2000 }]);
});

test('waits that a ready event ended are known, those of preempted threads are not', () => {
  expect(rowsOf(processor, 'SELECT ts, dur, ended, cause, rank FROM etw_ready_wait')).toEqual([
    { ts: 1250, dur: 50, ended: 1, cause: 'wake', rank: null },
  ]);
  expect(
    rowsOf(
      processor,
      `SELECT ts, ready_ns, since_last_ns, last_state, last_wait_reason, old_state
       FROM etw_context_switch WHERE new_utid = (SELECT utid FROM etw_thread WHERE tid = 20)`,
    ),
  ).toEqual([
    {
      ts: 1100,
      ready_ns: null,
      since_last_ns: null,
      last_state: null,
      last_wait_reason: null,
      old_state: null,
    },
    { ts: 1300, ready_ns: 50, since_last_ns: 100, last_state: null, last_wait_reason: null, old_state: null },
    {
      ts: 1500,
      ready_ns: null,
      since_last_ns: 100,
      last_state: null,
      last_wait_reason: null,
      old_state: null,
    },
  ]);
});
