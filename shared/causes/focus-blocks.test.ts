import { expect, test } from 'vitest';
import { queryOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { dataOf } from '../tables/index.ts';
import { focusBlocks } from './focus-blocks.ts';

const MS = 1_000_000;
const START = 1000 * MS;
const END_MS = 3000;
/** States and wait reasons, by Windows' numbers. */
const [READY, WAITING] = [1, 5];
const [DELAY_EXECUTION, USER_REQUEST, FOR_MESSAGES, WR_QUEUE, WR_RESOURCE] = [4, 6, 13, 15, 27];
/** Threads, and their processes. */
const [UI, WORKER, OTHER_UI] = [20, 21, 30];
const PIDS = new Map([
  [UI, 16],
  [WORKER, 16],
  [OTHER_UI, 28],
]);

/** From when on which process has the focus, 0 for none. */
type Focus = readonly (readonly [ms: number, pid: number])[];
/** When a thread is switched out, after it ran for 1 ms, why, and in which state. */
type Run = readonly [ms: number, tid: number, reason: number, state?: number];

/** The blocks that are seen: the thread, from when, until when, in ms from the start. */
async function seen(focus: Focus, runs: readonly Run[]): Promise<readonly (readonly number[])[]> {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: START + END_MS * MS });
  for (const pid of new Set(PIDS.values())) trace.process(START, `${pid}.exe`, '', { pid });
  for (const [tid, pid] of PIDS) trace.thread(START, null, { tid, pid });
  const changes = focus.map(([ms, pid], at) => () => {
    const fields = { SessionId: 1, OldProcessId: focus[at - 1]?.[1] ?? 0, NewProcessId: pid };
    trace.genericEvent(
      START + ms * MS,
      'Microsoft-Windows-Win32k/FocusedProcessChange',
      [16, UI],
      26,
      fields,
    );
    return ms;
  });
  const switches = runs.map(([ms, tid, waitReason, state = WAITING]) => () => {
    const sample = { rank: 0, outPriority: 8, waitReason, state };
    trace.contextSwitch(START + (ms - 1) * MS, 0, [0, 2, 0], [tid, 8, sample]);
    trace.contextSwitch(START + ms * MS, 0, [tid, state, waitReason], [0, 0]);
  });
  const events = [
    ...changes.map((write, at) => ({ ms: focus[at]?.[0] ?? 0, write })),
    ...switches.map((write, at) => ({ ms: (runs[at]?.[0] ?? 0) - 1, write })),
  ];
  for (const { write } of events.sort((a, b) => a.ms - b.ms)) write();
  const query = await queryOf(trace.fact(START + END_MS * MS, 'etw.end'));
  const threads = await query('SELECT utid, tid FROM thread');
  const tids = new Map([...threads.rows()].map(({ utid, tid }) => [Number(utid), Number(tid)]));
  return (await focusBlocks(dataOf(query).tables)).map(({ utid, ts, te }) => [
    tids.get(utid) ?? -1,
    (ts - START) / MS,
    (te - START) / MS,
  ]);
}

/** The process 16 has the focus all the time. */
const always: Focus = [[0, 16]];

test('a long block of a thread that takes messages is seen, until the thread runs again', async () => {
  const runs: readonly Run[] = [
    [10, UI, FOR_MESSAGES],
    [100, UI, WR_RESOURCE],
    [400, UI, FOR_MESSAGES],
  ];
  expect(await seen(always, runs)).toEqual([[UI, 100, 399]]);
});

test('what is shorter than 200 ms is not seen; 200 ms are', async () => {
  const runs: readonly Run[] = [
    [100, UI, USER_REQUEST],
    [300, UI, DELAY_EXECUTION],
    [501, UI, FOR_MESSAGES],
  ];
  expect(await seen(always, runs)).toEqual([[UI, 300, 500]]);
});

test('waits for messages or work, and stretches in which a thread is not blocked, are none', async () => {
  const runs: readonly Run[] = [
    [10, UI, FOR_MESSAGES],
    [500, UI, WR_QUEUE],
    [1000, UI, USER_REQUEST, READY],
    [1500, UI, FOR_MESSAGES],
  ];
  expect(await seen(always, runs)).toEqual([]);
});

test('threads that never wait for messages, and those of other processes, have none', async () => {
  const runs: readonly Run[] = [
    [10, WORKER, USER_REQUEST],
    [20, OTHER_UI, USER_REQUEST],
    [1000, OTHER_UI, FOR_MESSAGES],
    [1010, WORKER, USER_REQUEST],
  ];
  expect(await seen(always, runs)).toEqual([]);
});

test('of a block that the focus cuts the part in focus counts, if that is long', async () => {
  const focus: Focus = [
    [300, 16],
    [600, 28],
    [700, 16],
    [800, 0],
    [900, 16],
  ];
  const runs: readonly Run[] = [
    [10, UI, FOR_MESSAGES],
    [100, UI, USER_REQUEST],
    [1201, UI, FOR_MESSAGES],
  ];
  expect(await seen(focus, runs)).toEqual([
    [UI, 300, 600],
    [UI, 900, 1200],
  ]);
});

test('a block that does not end is seen until the recording ends', async () => {
  const runs: readonly Run[] = [
    [10, UI, FOR_MESSAGES],
    [2000, UI, USER_REQUEST],
  ];
  expect(await seen(always, runs)).toEqual([[UI, 2000, END_MS]]);
});

test('a recording without changes of the focus has none', async () => {
  const runs: readonly Run[] = [
    [10, UI, FOR_MESSAGES],
    [100, UI, USER_REQUEST],
    [1000, UI, FOR_MESSAGES],
  ];
  expect(await seen([], runs)).toEqual([]);
});
