import { expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';

const START = 1_000_000_000;
const END = START + 10_000;

const READY = 1;
const WAITING = 5;
const NOT_KNOWN = 0;

/** A trace of one CPU, or two, that lacks the events of CPU 0 between the times of `gaps`, in ns from the start. */
function lacking(gaps: readonly (readonly [number, number])[], cpu_count = 1): TraceWriter {
  const trace = new TraceWriter()
    .start(START, 0)
    .fact(START, 'etw.trace', { schema: 1, cpu_count, end_ts: END })
    .process(START, 'app.exe', '', { pid: 4 })
    .thread(START, null, { tid: 8, pid: 4 })
    .thread(START, null, { tid: 9, pid: 4 });
  for (const [from, to] of gaps) {
    trace.fact(START + from, 'etw.loss', { kind: 'lost_buffers', cpu: 0, dur_ns: to - from });
  }
  return trace;
}

/** Who ran on which CPU, from when to when, in ns from the start. */
async function ran(trace: TraceWriter): Promise<readonly unknown[]> {
  const processor = await processorWith(trace.fact(END, 'etw.end').finish());
  return rowsOf(
    processor,
    `SELECT cpu, tid, r.ts - ${START} AS since, te - ${START} AS until, ended
     FROM etw_run AS r JOIN thread USING (utid) ORDER BY cpu, r.ts`,
  ).map(({ cpu, tid, since, until, ended }) => [cpu, tid, since, until, ended === 1 ? 'ended' : 'open']);
}

test('the idle thread by which the converter ends a run before a gap has not run', async () => {
  const trace = lacking([[2000, 3000]])
    .contextSwitch(START + 1000, 0, [0, 0, NOT_KNOWN], [8, 10, {}])
    .contextSwitch(START + 2001, 0, [8, 10, NOT_KNOWN], [0, 0])
    .contextSwitch(START + 3001, 0, [0, 0, NOT_KNOWN], [9, 10, { rank: 0, state: WAITING }])
    .contextSwitch(START + 4000, 0, [9, 10, WAITING], [0, 0]);
  expect(await ran(trace)).toEqual([
    [0, 8, 1000, 2001, 'open'],
    [0, 9, 3001, 4000, 'ended'],
    [0, 0, 4000, 10_000, 'open'],
  ]);
});

test('a CPU that was idle before a gap and after it was not idle in it; other CPUs are as they are', async () => {
  const trace = lacking([[2000, 3000]], 2)
    .contextSwitch(START + 400, 1, [9, 10, WAITING], [0, 0])
    .contextSwitch(START + 1000, 0, [8, 10, WAITING], [0, 0])
    .contextSwitch(START + 4000, 0, [0, 0, READY], [8, 10, { rank: 0, state: WAITING }])
    .contextSwitch(START + 5000, 0, [8, 10, WAITING], [0, 0]);
  expect(await ran(trace)).toEqual([
    [0, 0, 1000, 2000, 'open'],
    [0, 0, 3000, 4000, 'ended'],
    [0, 8, 4000, 5000, 'ended'],
    [0, 0, 5000, 10_000, 'open'],
    [1, 0, 400, 10_000, 'open'],
  ]);
});

test('between two gaps without a switch between them it is not known what ran', async () => {
  const trace = lacking([
    [2000, 3000],
    [3500, 4000],
    [7000, 8000],
  ])
    .contextSwitch(START + 1000, 0, [8, 10, WAITING], [0, 0])
    .contextSwitch(START + 5000, 0, [0, 0, READY], [8, 10, { rank: 0, state: WAITING }])
    .contextSwitch(START + 6000, 0, [8, 10, WAITING], [0, 0]);
  expect(await ran(trace)).toEqual([
    [0, 0, 1000, 2000, 'open'],
    [0, 0, 4000, 5000, 'ended'],
    [0, 8, 5000, 6000, 'ended'],
    // Nothing tells what ran after the last gap.
    [0, 0, 6000, 7000, 'open'],
  ]);
});

test('what ran is not known before the first event of a CPU and after its last, where some are missing there', async () => {
  const trace = lacking([
    [0, 1000],
    [6000, 10_000],
  ])
    .contextSwitch(START + 1000, 0, [8, 10, WAITING], [0, 0])
    .contextSwitch(START + 5000, 0, [0, 0, READY], [8, 10, {}])
    .contextSwitch(START + 6001, 0, [8, 10, NOT_KNOWN], [0, 0]);
  expect(await ran(trace)).toEqual([
    [0, 0, 1000, 5000, 'ended'],
    [0, 8, 5000, 6001, 'open'],
  ]);
});

test('a loss that is not told of a CPU leaves what ran: of the others each CPU has its own', async () => {
  const trace = lacking([])
    .fact(START, 'etw.loss', { kind: 'lost_events', dur_ns: END - START, count: 3 })
    .contextSwitch(START + 1000, 0, [8, 10, WAITING], [0, 0]);
  expect(await ran(trace)).toEqual([[0, 0, 1000, 10_000, 'open']]);
});

test('switches and CPU time are of what is known', async () => {
  const trace = lacking([[2000, 3000]])
    .contextSwitch(START + 1000, 0, [0, 0, NOT_KNOWN], [8, 10, {}])
    .contextSwitch(START + 2001, 0, [8, 10, NOT_KNOWN], [0, 0])
    .contextSwitch(START + 3001, 0, [0, 0, NOT_KNOWN], [9, 10, { rank: 0, state: WAITING }])
    .contextSwitch(START + 4000, 0, [9, 10, WAITING], [0, 0]);
  const processor = await processorWith(trace.fact(END, 'etw.end').finish());
  expect(
    rowsOf(
      processor,
      `SELECT tid, SUM(ran_ns) AS ran_ns, SUM(switches) AS switches
       FROM etw_cpu_time JOIN thread USING (utid) GROUP BY tid ORDER BY tid`,
    ),
  ).toEqual([
    { tid: 0, ran_ns: 6000, switches: 1 },
    { tid: 8, ran_ns: 1001, switches: 1 },
    { tid: 9, ran_ns: 999, switches: 1 },
  ]);
  expect(
    rowsOf(
      processor,
      `SELECT ts - ${START} AS at, new_utid = 0 AS to_idle, old_utid IS NULL AS is_first
       FROM etw_context_switch ORDER BY ts`,
    ),
  ).toEqual([
    { at: 1000, to_idle: 0, is_first: 1 },
    { at: 3001, to_idle: 0, is_first: 1 },
    { at: 4000, to_idle: 1, is_first: 0 },
  ]);
});
