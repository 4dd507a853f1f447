import { beforeAll, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';

const WAITING = 5;
const BY = [16, 21] as const;
const LOCK = '0xffff800000000010';

/** Thread 20 at base priority 8 is changed in every way by thread 21. */
function changes(): Uint8Array {
  const trace = new TraceWriter()
    .start(1000, 0)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .process(1000, 'app.exe', '', { pid: 16 })
    .thread(1000, null, { tid: 20, pid: 16, affinity: 0xff, end_affinity: 3 })
    .thread(1000, null, { tid: 21, pid: 16, end_affinity: 0xff })
    .contextSwitch(1100, 0, [0, 2, 0], [20, 8, { outPriority: 8, state: WAITING }])
    .contextSwitch(1150, 0, [20, WAITING, 6], [21, 8, {}])
    .idealCpu(1150, 20, 3);
  const change = (ts: number, name: string, id: number, fields: Record<string, number | string>) =>
    trace.genericEvent(ts, `Thread/${name}`, BY, id, { ThreadId: 20, ...fields });
  change(1200, 'SetPriority', 0x530, { OldPriority: 8, NewPriority: 10, DynamicPriority: 10 });
  change(1210, 'SetBasePriority', 0x531, { OldPriority: 8, NewPriority: 9, DynamicPriority: 9 });
  change(1220, 'SetPagePriority', 0x533, { OldPriority: 5, NewPriority: 1 });
  change(1230, 'SetIoPriority', 0x534, { OldPriority: 'Normal', NewPriority: 'VeryLow' });
  change(1240, 'AutoBoostSetFloor', 0x542, { Lock: LOCK, NewCpuPriorityFloor: 12, OldCpuPriority: 9 });
  change(1250, 'AutoBoostClearFloor', 0x543, { Lock: LOCK, BoostBitmap: '0x2' });
  change(1260, 'AutoBoostEntryExhaustion', 0x544, { Lock: LOCK });
  change(1270, 'AntiStarvationBoost', 0x53c, { ProcessorIndex: 0, OldPriority: 9 });
  change(1280, 'ThreadAffinity', 0x535, { Affinity: '0xc000000000000001', Group: 1 });
  change(1290, 'ThreadMigration', 0x53d, {
    SourceProcessor: 70,
    TargetProcessor: 3,
    Priority: 9,
    IdealProcessorAdjusted: 1,
    OldIdealProcessor: 70,
  });
  trace.genericEvent(1295, 'Thread/DfssStartNewInterval', [0, 0], 0x53a, {
    Generation: 7,
    SessionCount: 2,
    TotalCycleCredit: 1000,
    TotalCyclesAccumulated: 900,
    Sessions: [
      { SessionId: 1, CpuShareWeight: 5, CapturedWeight: 5, CyclesAccumulated: 600 },
      { SessionId: 2, CpuShareWeight: 5, CapturedWeight: 5, CyclesAccumulated: 300 },
    ],
  });
  trace
    .contextSwitch(1300, 0, [21, WAITING, 6], [20, 15, { outPriority: 14, state: WAITING }])
    .idealCpu(1300, 21, 255)
    .contextSwitch(1400, 0, [20, WAITING, 6], [21, 8, {}])
    .idealCpu(1400, 20, 1);
  return trace.fact(2000, 'etw.end').finish();
}

let processor: TraceProcessor;
beforeAll(async () => (processor = await processorWith(changes())));

test('etw_priority_change has every change that Windows reports', () => {
  const sql = `SELECT c.ts, t.tid, c.kind, c.old, c.new, c.priority, c.lock, b.tid AS by_tid
    FROM etw_priority_change AS c JOIN etw_thread AS t USING (utid) JOIN etw_thread AS b ON b.utid = c.by_utid`;
  const row = (ts: number, kind: string, rest: object) => ({
    ts,
    tid: 20,
    kind,
    old: null,
    new: null,
    priority: null,
    lock: null,
    by_tid: 21,
    ...rest,
  });
  expect(rowsOf(processor, sql)).toEqual([
    row(1200, 'priority', { old: 8, new: 10, priority: 10 }),
    row(1210, 'base_priority', { old: 8, new: 9, priority: 9 }),
    row(1220, 'page_priority', { old: 5, new: 1 }),
    row(1230, 'io_priority', { old: 2, new: 0 }),
    row(1240, 'autoboost_floor', { old: 9, new: 12, priority: 12, lock: LOCK }),
    row(1250, 'autoboost_clear', { lock: LOCK }),
    row(1260, 'autoboost_exhausted', { lock: LOCK }),
    row(1270, 'starvation_boost', { old: 9 }),
  ]);
});

test('etw_thread_priority joins runs and changes', () => {
  const sql = `SELECT ts, dur, priority, reason FROM etw_thread_priority
    WHERE utid = (SELECT utid FROM etw_thread WHERE tid = 20)`;
  expect(rowsOf(processor, sql)).toEqual([
    { ts: 1100, dur: 100, priority: 8, reason: 'first' },
    { ts: 1200, dur: 10, priority: 10, reason: 'priority' },
    { ts: 1210, dur: 30, priority: 9, reason: 'base_priority' },
    { ts: 1240, dur: 60, priority: 12, reason: 'autoboost_floor' },
    { ts: 1300, dur: 100, priority: 15, reason: 'starvation_boost' },
    { ts: 1400, dur: 600, priority: 14, reason: 'switch_out' },
  ]);
});

test('etw_thread_affinity has spans from what is known first', () => {
  const sql = `SELECT a.ts, a.dur, t.tid, a.cpu_group, printf('%x', a.mask) AS mask, a.by_utid IS NOT NULL AS set_by
    FROM etw_thread_affinity AS a JOIN etw_thread AS t USING (utid) ORDER BY a.ts, t.tid`;
  expect(rowsOf(processor, sql)).toEqual([
    { ts: 1000, dur: 280, tid: 20, cpu_group: null, mask: 'ff', set_by: 0 },
    { ts: 1000, dur: 1000, tid: 21, cpu_group: null, mask: 'ff', set_by: 0 },
    { ts: 1280, dur: 720, tid: 20, cpu_group: 1, mask: 'c000000000000001', set_by: 1 },
  ]);
});

test('etw_cpu has all CPUs of a machine with one group, and those of others as they are recorded, which masks mean', async () => {
  const sql = 'SELECT cpu, cpu_group, number FROM etw_cpu';
  expect(rowsOf(processor, sql)).toEqual([{ cpu: 0, cpu_group: 0, number: 0 }]);
  const machine = (cpu_count: number) =>
    new TraceWriter()
      .start(1000, 0)
      .fact(1000, 'etw.trace', { schema: 1, cpu_count, end_ts: 2000 })
      .process(1000, 'app.exe', '', { pid: 16 })
      .thread(1000, null, { tid: 20, pid: 16 });
  const untold = await processorWith(machine(65).finish());
  expect(rowsOf(untold, sql)).toEqual(
    Array.from({ length: 65 }, (_, cpu) => ({ cpu, cpu_group: null, number: null })),
  );
  // The second listing, at the end, has a CPU more; the machine's groups take turns.
  const places = [0, 1, 2, 3].map((cpu) => ({ Group: cpu % 2, Number: cpu >> 1 }));
  const trace = machine(4);
  for (const [ts, count] of [
    [1100, 3],
    [1900, 4],
  ] as const) {
    const Processors = places.slice(0, count);
    trace.genericEvent(ts, 'SysConfig/ProcessorNumber', [0, 0], 0xb1b, { ProcessorCount: count, Processors });
  }
  const affinity = { Affinity: '0x8000000000000002', ThreadId: 20, Group: 1 };
  trace.genericEvent(1500, 'Thread/ThreadAffinity', [0, 0], 0x535, affinity);
  const told = await processorWith(trace.finish());
  expect(rowsOf(told, 'SELECT ts, cpu_group, cpus FROM etw_thread_affinity')).toEqual([
    { ts: 1500, cpu_group: 1, cpus: '[3]' },
  ]);
  expect(rowsOf(told, sql)).toEqual([
    { cpu: 0, cpu_group: 0, number: 0 },
    { cpu: 1, cpu_group: 1, number: 0 },
    { cpu: 2, cpu_group: 0, number: 1 },
    { cpu: 3, cpu_group: 1, number: 1 },
  ]);
});

test('etw_thread_migration says from where and to where', () => {
  const sql = `SELECT ts, from_cpu, to_cpu, priority, old_ideal_cpu FROM etw_thread_migration`;
  expect(rowsOf(processor, sql)).toEqual([
    { ts: 1290, from_cpu: 70, to_cpu: 3, priority: 9, old_ideal_cpu: 70 },
  ]);
});

test('etw_thread_ideal_cpu has what each thread was recorded with first, and what it changed to', () => {
  const sql = `SELECT i.ts, t.tid, i.ideal_cpu FROM etw_thread_ideal_cpu AS i JOIN etw_thread AS t USING (utid)
    ORDER BY i.ts`;
  expect(rowsOf(processor, sql)).toEqual([
    { ts: 1150, tid: 20, ideal_cpu: 3 },
    { ts: 1300, tid: 21, ideal_cpu: 255 },
    { ts: 1400, tid: 20, ideal_cpu: 1 },
  ]);
});

test('etw_dfss_session has a row for each session of an interval', () => {
  const row = { ts: 1295, generation: 7, weight: 5, credit_cycles: 1000 };
  expect(rowsOf(processor, 'SELECT * FROM etw_dfss_session')).toEqual([
    { ...row, session: 1, used_cycles: 600 },
    { ...row, session: 2, used_cycles: 300 },
  ]);
});
