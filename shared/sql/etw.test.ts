import { beforeAll, expect, test } from 'vitest';
import { lockScreenTrace } from '../engine/testing/lock-screen.ts';
import { processorWith, rowsOf, startProcessor } from '../engine/testing/start.ts';
import { packRunSample, TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';
import type { Cell } from '../engine/result.ts';
import { etwModules } from './index.ts';

let lockScreen: TraceProcessor;
beforeAll(async () => (lockScreen = await processorWith(lockScreenTrace())));

/** A query's rows as a table: the column names, then the cells. */
function table(processor: TraceProcessor, sql: string): (string | Cell | undefined)[][] {
  const rows = rowsOf(processor, sql);
  const columns = Object.keys(rows[0] ?? {});
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))];
}

/** Utids by tid, which is what a reader of these tests knows. */
const TID = '(SELECT tid FROM thread WHERE thread.utid = ';

test('etw_trace says what was recorded, and what of it was read', () => {
  expect(rowsOf(lockScreen, 'SELECT * FROM etw_trace')).toEqual([
    {
      start_ts: 1000,
      end_ts: 2000,
      dur_ns: 1000,
      start_utc_ns: 1_700_000_000_000_000_000n,
      boot_utc_ns: null,
      utc_offset_minutes: null,
      session_name: 'Circular Kernel',
      file_name: 'C:\\lock.etl',
      os_build: 22621,
      os_version: null,
      pointer_bytes: 8,
      cpu_count: 2,
      cpu_mhz: null,
      clock: 'qpc',
      clock_hz: 10_000_000,
      timer_resolution_ns: null,
      events_read: 20,
      events_converted: 19,
      events_generic: 0,
      events_skipped: 1,
      events_lost: 3,
      buffers_read: 2,
      buffers_lost: 0,
      context_switches: 11,
      ready_threads: 4,
      selected_from_ts: null,
      selected_to_ts: null,
      selected_kinds: null,
      selected_processes: null,
      redacted: null,
      kernel_flags: null,
    },
  ]);
});

test('etw_event_count and etw_loss list every event kind and every gap', () => {
  expect(table(lockScreen, 'SELECT * FROM etw_event_count')).toEqual([
    ['provider', 'event', 'version', 'fate', 'reason', 'count'],
    ['Thread', 'CSwitch', 4, 'converted', null, 11],
    ['Image', 'Load', 3, 'skipped', 'not needed', 1],
  ]);
  expect(table(lockScreen, 'SELECT * FROM etw_loss')).toEqual([
    ['ts', 'dur', 'cpu', 'kind', 'count', 'message'],
    [1960, 20, 1, 'lost_events', 3, '3 events lost'],
  ]);
});

test('etw_process and etw_thread have a row for each that Windows knows, and none for stand-ins', () => {
  expect(
    table(
      lockScreen,
      'SELECT pid, name, parent_pid, command_line, session, sid, package, application FROM etw_process ORDER BY pid',
    ),
  ).toEqual([
    ['pid', 'name', 'parent_pid', 'command_line', 'session', 'sid', 'package', 'application'],
    [0, 'Idle', null, null, null, null, null, null],
    [4, 'System', 0, null, null, null, null, null],
    [
      16,
      'LockApp.exe',
      4,
      '"C:\\LockApp.exe" -Server',
      1,
      'S-1-5-21-1',
      'Microsoft.LockApp',
      'WindowsDefaultLockScreen',
    ],
    [30, 'busy.exe', 4, 'busy.exe', 1, null, null, null],
  ]);
  expect(
    table(
      lockScreen,
      `SELECT tid, pid, process_name, name, base_priority, start_address, create_ts, exit_ts, sub_process_tag
       FROM etw_thread ORDER BY tid`,
    ),
  ).toEqual([
    [
      'tid',
      'pid',
      'process_name',
      'name',
      'base_priority',
      'start_address',
      'create_ts',
      'exit_ts',
      'sub_process_tag',
    ],
    [8, 4, 'System', null, 8, null, null, null, null],
    [20, 16, 'LockApp.exe', 'Lock worker', 8, 4096, null, null, null],
    [31, 30, 'busy.exe', null, 8, null, null, null, 7],
    [32, 30, 'busy.exe', null, 8, null, 1100, 1900, null],
  ]);
});

test('etw_run has every stay on a CPU, with the rank that its end recorded', () => {
  expect(
    table(
      lockScreen,
      `SELECT ts, dur, cpu, ${TID}r.utid) AS tid, priority, rank, priority_decrement, ended, switch_out_priority,
         switch_out_state, switch_out_wait_reason, switch_out_wait_mode, switch_out_qos
       FROM etw_run AS r`,
    ),
  ).toEqual([
    [
      'ts',
      'dur',
      'cpu',
      'tid',
      'priority',
      'rank',
      'priority_decrement',
      'ended',
      'switch_out_priority',
      'switch_out_state',
      'switch_out_wait_reason',
      'switch_out_wait_mode',
      'switch_out_qos',
    ],
    [1050, 100, 0, 20, 14, 2, 6, 1, 13, 'Waiting', 'WrQueue', 'user', 0],
    [1060, 340, 1, 8, 9, 0, 0, 1, 9, 'Waiting', 'UserRequest', 'kernel', 0],
    [1150, 150, 0, 32, 8, 0, 0, 1, 8, 'Ready', 'WrQuantumEnd', 'kernel', 0],
    [1300, 200, 0, 31, 10, 0, 0, 1, 9, 'Waiting', 'WrAlertByThreadId', 'user', 2],
    [1400, 560, 1, 0, 0, null, null, 0, null, null, null, null, null],
    [1500, 300, 0, 32, 8, 0, 0, 1, 8, 'Terminated', null, null, 0],
    [1800, 150, 0, 20, 14, 2, 0, 1, 14, 'Ready', 'WrQuantumEnd', 'kernel', 0],
    [1950, 50, 0, 0, 0, null, null, 0, null, null, null, null, null],
  ]);
});

test('etw_ready_wait has woken and preempted threads, and those that never ran', () => {
  expect(
    table(
      lockScreen,
      `SELECT ts, dur, te, ended, cause, ${TID}w.utid) AS tid, ${TID}w.waker_utid) AS waker_tid, waker_in_dpc,
         priority, rank, rank_source, cpu, flags
       FROM etw_ready_wait AS w`,
    ),
  ).toEqual([
    [
      'ts',
      'dur',
      'te',
      'ended',
      'cause',
      'tid',
      'waker_tid',
      'waker_in_dpc',
      'priority',
      'rank',
      'rank_source',
      'cpu',
      'flags',
    ],
    [1110, 40, 1150, 1, 'wake', 32, 8, 0, 8, 0, 'after', 0, 0],
    [1200, 600, 1800, 1, 'wake', 20, 8, 0, 14, 2, 'recorded', 0, 2],
    [1210, 90, 1300, 1, 'wake', 31, null, 1, 10, 0, 'after', 0, 1],
    [1300, 200, 1500, 1, 'preempted', 32, null, null, 8, 0, 'recorded', 0, null],
    [1910, 90, 2000, 0, 'wake', 31, 20, 0, 9, 0, 'before', null, 8],
    [1950, 50, 2000, 0, 'preempted', 20, null, null, 14, 2, 'before', null, null],
  ]);
});

test('etw_ready_wait_history says where and why a thread that waits had left its CPU', () => {
  expect(
    table(
      lockScreen,
      `SELECT ts, last_switch_out_ts, blocked_ns, last_cpu, last_priority, last_rank, last_state, last_wait_reason,
         last_wait_mode, ready_increment, ready_adjust_reason
       FROM etw_ready_wait_history`,
    ),
  ).toEqual([
    [
      'ts',
      'last_switch_out_ts',
      'blocked_ns',
      'last_cpu',
      'last_priority',
      'last_rank',
      'last_state',
      'last_wait_reason',
      'last_wait_mode',
      'ready_increment',
      'ready_adjust_reason',
    ],
    [1110, null, null, null, null, null, null, null, null, 0, 0],
    [1200, 1150, 50, 0, 13, 2, 'Waiting', 'WrQueue', 'user', 6, 2],
    [1210, null, null, null, null, null, null, null, null, 2, 1],
    [1300, 1300, 0, 0, 8, 0, 'Ready', 'WrQuantumEnd', 'kernel', null, null],
    [1910, 1500, 410, 0, 9, 0, 'Waiting', 'WrAlertByThreadId', 'user', null, null],
    [1950, 1950, 0, 0, 14, 2, 'Ready', 'WrQuantumEnd', 'kernel', null, null],
  ]);
});

test('etw_context_switch knows both threads', () => {
  const rows = rowsOf(lockScreen, 'SELECT * FROM etw_context_switch WHERE ts = 1800');
  const utid = (tid: number) => rowsOf(lockScreen, `SELECT utid FROM etw_thread WHERE tid = ${tid}`)[0]?.utid;
  expect(rows).toEqual([
    {
      ts: 1800,
      cpu: 0,
      new_utid: utid(20),
      old_utid: utid(32),
      new_priority: 14,
      old_priority: 8,
      new_rank: 2,
      old_rank: 0,
      old_state: 'Terminated',
      old_wait_reason: null,
      old_wait_mode: null,
      ready_ts: 1200,
      ready_utid: utid(8),
      ready_ns: 600,
      ready_cause: 'wake',
      ready_flags: 2,
      since_last_ns: 650,
      last_switch_out_ts: 1150,
      last_state: 'Waiting',
      last_wait_reason: 'WrQueue',
      last_wait_mode: 'user',
      last_rank: 2,
      last_cpu: 0,
      run_ns: 150,
      switch_out_ts: 1950,
      new_priority_decrement: 0,
      new_qos: 0,
      previous_c_state: null,
      new_callsite: null,
      ready_callsite: null,
    },
  ]);
  expect(
    table(
      lockScreen,
      `SELECT ts, ${TID}s.new_utid) AS new_tid, ${TID}s.old_utid) AS old_tid, ready_ns, since_last_ns, previous_c_state
       FROM etw_context_switch AS s`,
    ),
  ).toEqual([
    ['ts', 'new_tid', 'old_tid', 'ready_ns', 'since_last_ns', 'previous_c_state'],
    [1050, 20, 0, null, null, 3],
    [1060, 8, 0, null, null, 1],
    [1150, 32, 20, 40, null, null],
    [1300, 31, 32, 90, null, null],
    [1400, 0, 8, null, null, null],
    [1500, 32, 31, 200, 200, null],
    [1800, 20, 32, 600, 650, null],
    [1950, 0, 20, null, null, null],
  ]);
});

test('etw_context_switch has the stacks of the new thread and of the one that made it ready', async () => {
  const stackOf = (hook: number) => ({ isKernel: true, value: 2 ** 48 + 2 ** 18 + 2 ** 16 + hook });
  const processor = await processorWith(
    new TraceWriter()
      .start(0, 0)
      .fact(0, 'etw.trace')
      .beginSamples(
        0,
        [['\\nt', 0x1000, 0x2000]],
        [
          [0, 1],
          [0, 2],
        ],
        [[0], [1]],
      )
      .contextSwitch(10, 0, [0, 2, 0], [5, 8, { rank: 0, outPriority: 8, waitReason: 6, state: 5 }])
      .contextSwitch(20, 0, [5, 5, 6], [6, 9, { rank: 0, outPriority: 9, waitReason: 6, state: 1 }])
      .readyThread(30, 1, 5, 6)
      .sample(30, 1, [0, 6], { stack: 0, ...stackOf(0x0532) })
      .contextSwitch(40, 0, [6, 1, 32], [5, 8, { rank: 0, outPriority: 8, waitReason: 6, state: 5 }])
      .sample(40, 0, [0, 5], { stack: 1, ...stackOf(0x0524) })
      .contextSwitch(50, 0, [5, 5, 6], [6, 9, {}])
      .fact(60, 'etw.end')
      .finish(),
  );
  expect(
    table(
      processor,
      'SELECT ts, new_callsite, ready_ts, ready_cause, ready_callsite FROM etw_context_switch',
    ),
  ).toEqual([
    ['ts', 'new_callsite', 'ready_ts', 'ready_cause', 'ready_callsite'],
    [10, null, null, null, null],
    [20, null, null, null, null],
    [40, 1, 30, 'wake', 0],
    // Made ready at 40 by being preempted: the stack of that time is the other thread's.
    [50, null, 40, 'preempted', null],
  ]);
});

test('etw_ran_between clips what ran to the time that is asked for', () => {
  expect(
    table(
      lockScreen,
      `SELECT cpu, ${TID}r.utid) AS tid, ts, dur, priority, rank FROM etw_ran_between(1200, 1800) AS r ORDER BY cpu, ts`,
    ),
  ).toEqual([
    ['cpu', 'tid', 'ts', 'dur', 'priority', 'rank'],
    [0, 32, 1200, 100, 8, 0],
    [0, 31, 1300, 200, 10, 0],
    [0, 32, 1500, 300, 8, 0],
    [1, 8, 1200, 200, 9, 0],
    [1, 0, 1400, 400, 0, null],
  ]);
});

test('a ready event that comes while a preempted thread is ready does not end its wait', async () => {
  const processor = await processorWith(
    new TraceWriter()
      .start(0, 0)
      .fact(0, 'etw.trace')
      .contextSwitch(10, 0, [0, 2, 0], [5, 8, { rank: 1, outPriority: 8, waitReason: 32, state: 1 }])
      .contextSwitch(20, 0, [5, 1, 32], [6, 9, { rank: 0, outPriority: 9, waitReason: 6, state: 5 }])
      .readyThread(30, 0, 5, 6)
      .contextSwitch(50, 0, [6, 5, 6], [5, 8, { rank: 3 }])
      .fact(60, 'etw.end')
      .finish(),
  );
  expect(
    table(processor, 'SELECT ts, dur, ended, cause, waker_utid, rank, rank_source FROM etw_ready_wait'),
  ).toEqual([
    ['ts', 'dur', 'ended', 'cause', 'waker_utid', 'rank', 'rank_source'],
    [20, 30, 1, 'preempted', null, 1, 'judged'],
  ]);
});

test('rank is null where none was recorded, and taken from the run before where the next one is open', async () => {
  const trace = (rank: number) =>
    new TraceWriter()
      .start(0, 0)
      .fact(0, 'etw.trace')
      .contextSwitch(10, 0, [0, 2, 0], [5, 8, { rank, outPriority: 8, waitReason: 6, state: 5 }])
      .contextSwitch(20, 0, [5, 5, 6], [0, 0])
      .readyThread(30, 1, 5, 0)
      .contextSwitch(50, 0, [0, 2, 0], [5, 8, {}])
      .fact(60, 'etw.end')
      .finish();
  const sql = 'SELECT ts, rank, rank_source, waker_in_dpc FROM etw_ready_wait';
  expect(rowsOf(await processorWith(trace(255)), sql)).toEqual([
    { ts: 30, rank: null, rank_source: null, waker_in_dpc: 0 },
  ]);
  expect(rowsOf(await processorWith(trace(2)), sql)).toEqual([
    { ts: 30, rank: 2, rank_source: 'before', waker_in_dpc: 0 },
  ]);
});

test('how a run ended that was under way before the first switch of its CPU is known', async () => {
  const end = packRunSample({ rank: 2, outPriority: 9, waitReason: 32, waitMode: 0, state: 1 });
  const processor = await processorWith(
    new TraceWriter()
      .start(0, 0)
      .fact(0, 'etw.trace', { end_ts: 60 })
      .contextSwitch(20, 0, [5, 1, 32], [6, 15, { rank: 0, outPriority: 15, waitReason: 6, state: 5 }])
      .fact(20, 'etw.run_before', { tid: 5, sample: end })
      .contextSwitch(30, 0, [6, 5, 6], [0, 0])
      .fact(60, 'etw.end')
      .finish(),
  );
  const tid = (utid: string) => `(SELECT tid FROM thread WHERE utid = ${utid})`;
  expect(
    rowsOf(
      processor,
      `SELECT ts, ${tid('old_utid')} AS tid, old_priority, old_rank, old_state, old_wait_reason, old_wait_mode
       FROM etw_context_switch WHERE ts = 20`,
    ),
  ).toEqual([
    {
      ts: 20,
      tid: 5,
      old_priority: 9,
      old_rank: 2,
      old_state: 'Ready',
      old_wait_reason: 'WrPreempted',
      old_wait_mode: 'kernel',
    },
  ]);
  expect(
    rowsOf(processor, 'SELECT ts, dur, ended, cause, priority, rank, rank_source FROM etw_ready_wait'),
  ).toEqual([{ ts: 20, dur: 40, ended: 0, cause: 'preempted', priority: 9, rank: 2, rank_source: 'before' }]);
  expect(
    rowsOf(processor, `SELECT ts, dur, ${tid('etw_thread_rank.utid')} AS tid, rank FROM etw_thread_rank`),
  ).toEqual([{ ts: 20, dur: 40, tid: 5, rank: 2 }]);
  expect(
    rowsOf(
      processor,
      'SELECT ts, priority, reason FROM etw_thread_priority WHERE utid IN (SELECT utid FROM thread WHERE tid = 5)',
    ),
  ).toEqual([{ ts: 20, priority: 9, reason: 'first' }]);
});

test('reused ids are different processes and threads', async () => {
  const processor = await processorWith(
    new TraceWriter()
      .start(0, 0)
      .fact(0, 'etw.trace')
      .process(0, 'old.exe', 'old.exe /a', { pid: 8 })
      .thread(0, 'first', { tid: 12, pid: 8, exit_ts: 20 })
      .contextSwitch(10, 0, [0, 2, 0], [12, 8, { rank: 0, outPriority: 8, state: 4 }])
      .contextSwitch(20, 0, [12, 4, 0], [0, 0])
      .free(20, 12)
      .free(21, 8)
      .process(30, 'new.exe', '', { pid: 12, create_ts: 30 })
      .thread(31, 'second', { tid: 8, pid: 12, create_ts: 31 })
      .readyThread(32, 0, 8, 0)
      .contextSwitch(40, 0, [0, 2, 0], [8, 9, {}])
      .fact(50, 'etw.end')
      .finish(),
  );
  expect(
    table(
      processor,
      'SELECT t.pid, t.tid, t.process_name, t.name, r.ts, r.te FROM etw_run AS r JOIN etw_thread AS t USING (utid)',
    ),
  ).toEqual([
    ['pid', 'tid', 'process_name', 'name', 'ts', 'te'],
    [8, 12, 'old.exe', 'first', 10, 20],
    [12, 8, 'new.exe', 'second', 40, 50],
  ]);
  expect(table(processor, 'SELECT pid, name, command_line, create_ts FROM etw_process')).toEqual([
    ['pid', 'name', 'command_line', 'create_ts'],
    [8, 'old.exe', 'old.exe /a', null],
    [12, 'new.exe', null, 30],
  ]);
});

test('a trace of another tool has empty tables', async () => {
  const processor = await processorWith(
    new TraceWriter()
      .start(0, 0)
      .contextSwitch(10, 0, [0, 2, 0], [5, 8])
      .contextSwitch(20, 0, [5, 1, 32], [6, 9])
      .finish(),
  );
  const counts = rowsOf(
    processor,
    `SELECT (SELECT count(*) FROM etw_trace) + (SELECT count(*) FROM etw_process)
       + (SELECT count(*) FROM etw_thread) + (SELECT count(*) FROM etw_run) + (SELECT count(*) FROM etw_ready_wait)
       + (SELECT count(*) FROM etw_context_switch) AS etw,
       (SELECT count(*) FROM sched) AS stock`,
  );
  expect(counts).toEqual([{ etw: 0, stock: 2 }]);
});

test('each module can be included alone', async () => {
  for (const { name } of etwModules) {
    const processor = await startProcessor();
    processor.append(lockScreenTrace());
    processor.finalize();
    processor.register('etw', etwModules);
    expect(rowsOf(processor, `INCLUDE PERFETTO MODULE ${name}; SELECT 1 AS ok`)).toEqual([{ ok: 1 }]);
  }
});
