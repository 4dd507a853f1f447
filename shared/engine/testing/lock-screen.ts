import { TraceWriter } from './trace-writer.ts';

const STATE = { ready: 1, terminated: 4, waiting: 5 };
const REASON = { userRequest: 6, wrQueue: 15, wrQuantumEnd: 30, wrAlertByThreadId: 37 };

/**
 * One µs of two CPUs. Thread 20 of LockApp (rank 2, priority 14) waits in vain for CPU 0 while the rank-0 threads
 * 31 and 32 of a busy process share it. Written to hold each kind of row once.
 */
export function lockScreenTrace(): Uint8Array {
  const trace = new TraceWriter().start(1000, 1_700_000_000_000_000_000);
  trace
    .fact(1000, 'etw.trace', {
      schema: 1,
      start_utc_ns: 1_700_000_000_000_000_000,
      session_name: 'Circular Kernel',
      file_name: 'C:\\lock.etl',
      os_build: 22621,
      pointer_bytes: 8,
      cpu_count: 2,
      clock: 'qpc',
      clock_hz: 10_000_000,
      end_ts: 2000,
      events_read: 20,
      events_converted: 19,
      events_generic: 0,
      events_skipped: 1,
      events_lost: 3,
      buffers_read: 2,
      buffers_lost: 0,
      context_switches: 11,
      ready_threads: 4,
    })
    .fact(1000, 'etw.events', {
      provider: 'Thread',
      event: 'CSwitch',
      version: 4,
      count: 11,
      fate: 'converted',
    })
    .fact(1000, 'etw.events', {
      provider: 'Image',
      event: 'Load',
      version: 3,
      count: 1,
      fate: 'skipped',
      reason: 'not needed',
    })
    .process(1000, 'Idle', '', { pid: 0 })
    .process(1000, 'System', '', { pid: 4, parent_pid: 0, session: 0xffffffff })
    .process(1000, 'LockApp.exe', '"C:\\LockApp.exe" -Server', {
      pid: 16,
      parent_pid: 4,
      session: 1,
      sid: 'S-1-5-21-1',
      package: 'Microsoft.LockApp',
      application: 'WindowsDefaultLockScreen',
    })
    .process(1000, 'busy.exe', 'busy.exe', { pid: 30, parent_pid: 4, session: 1 })
    .thread(1000, null, { tid: 8, pid: 4, base_priority: 8 })
    .thread(1000, 'Lock worker', { tid: 20, pid: 16, base_priority: 8, start_address: 4096 })
    .thread(1000, null, { tid: 31, pid: 30, base_priority: 8, sub_process_tag: 7 })
    .thread(1100, null, { tid: 32, pid: 30, base_priority: 8, create_ts: 1100, exit_ts: 1900 });

  const { ready, terminated, waiting } = STATE;
  const idle = [0, 2, 0] as const;
  trace
    // CPU 0: LockApp's thread runs at rank 2 until it waits; then the busy threads, by turns.
    .contextSwitch(1050, 0, idle, [
      20,
      14,
      {
        rank: 2,
        outPriority: 13,
        waitReason: 15,
        waitMode: 1,
        state: waiting,
        cState: 3,
        priorityDecrement: 6,
      },
    ])
    .contextSwitch(1060, 1, idle, [
      8,
      9,
      { rank: 0, outPriority: 9, waitReason: 6, state: waiting, cState: 1 },
    ])
    .readyThread(1110, 1, 32, 8)
    .contextSwitch(
      1150,
      0,
      [20, waiting, REASON.wrQueue],
      [32, 8, { rank: 0, outPriority: 8, waitReason: 30, state: ready }],
    )
    .readyThread(1200, 1, 20, 8)
    .readyThread(1210, 1, 31, 0)
    .contextSwitch(
      1300,
      0,
      [32, ready, REASON.wrQuantumEnd],
      [
        31,
        10,
        {
          rank: 0,
          outPriority: 9,
          waitReason: 37,
          waitMode: 1,
          state: waiting,
          qos: 2,
          readyFlags: 1,
          readyIncrement: 2,
          readyAdjustReason: 1,
        },
      ],
    )
    .contextSwitch(1400, 1, [8, waiting, REASON.userRequest], [0, 0])
    .contextSwitch(
      1500,
      0,
      [31, waiting, REASON.wrAlertByThreadId],
      [32, 8, { rank: 0, outPriority: 8, state: terminated }],
    )
    .contextSwitch(
      1800,
      0,
      [32, terminated, 0],
      [
        20,
        14,
        {
          rank: 2,
          outPriority: 14,
          waitReason: 30,
          state: ready,
          readyFlags: 2,
          readyIncrement: 6,
          readyAdjustReason: 2,
        },
      ],
    )
    .free(1900, 32)
    .readyThread(1910, 0, 31, 20)
    .contextSwitch(1950, 0, [20, ready, REASON.wrQuantumEnd], [0, 0])
    .fact(1960, 'etw.loss', { kind: 'lost_events', dur_ns: 20, cpu: 1, count: 3, message: '3 events lost' })
    .fact(2000, 'etw.ready_pending', { tid: 31, ready_ts: 1910, ready_flags: 8, ready_increment: 1 })
    .fact(2000, 'etw.end');
  return trace.finish();
}
