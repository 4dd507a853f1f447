import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { userLockTables } from './tables.ts';
import { userLocks } from './view.ts';

const START = 1_000_000_000;
const MS = 1_000_000;
/** Ticks of the performance counter a ms. */
const TICKS = 10_000;
const WAITING = 5;
const whole = { start: START, end: START + 1000 * MS };
const SHELL = [8, 9] as const;
const TRAY = [8, 10] as const;
const EDITOR = [16, 20] as const;

/**
 * The shell holds the lock from 100 to 400 ms: it runs for 50 ms, is blocked for 150 ms, is ready for 40 ms, and runs to the end. The
 * editor waits for it from 120 to 400 ms. The tray's thread held the lock until 125 ms, too short to count, and shares it at once later.
 */
function lockTrace(): TraceWriter {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', {
      schema: 1,
      cpu_count: 1,
      end_ts: whole.end,
      clock: 'qpc',
      clock_hz: TICKS * 1000,
    })
    .process(START, 'shell.exe', '', { pid: 8 })
    .process(START, 'editor.exe', '', { pid: 16 });
  for (const [pid, tid] of [SHELL, TRAY, EDITOR]) trace.thread(START, null, { tid, pid });
  const at = (ms: number) => START + ms * MS;
  const blocks = { rank: 0, outPriority: 8, waitReason: 6, state: WAITING };
  const event = (ms: number, thread: readonly [number, number], id: number, field: string, of_ms: number) =>
    trace.genericEvent(at(ms), `Microsoft-Windows-Win32k/${id}`, thread, id, { [field]: of_ms * TICKS });
  const acquired = (ms: number, thread: readonly [number, number], waited_ms: number, id = 163) =>
    event(ms, thread, id, 'AcquireQpcCounts', waited_ms);
  const released = (ms: number, thread: readonly [number, number], held_ms: number) =>
    event(ms, thread, 167, 'HoldQpcCounts', held_ms);
  trace.contextSwitch(at(90), 0, [0, 2, 0], [9, 8, blocks]);
  acquired(100, SHELL, 0);
  released(125, TRAY, 1);
  trace
    .contextSwitch(at(150), 0, [9, WAITING, 6], [0, 0])
    .readyThread(at(300), 0, 9, 0)
    .contextSwitch(at(340), 0, [0, 2, 0], [9, 8, blocks]);
  released(400, SHELL, 300);
  acquired(400, EDITOR, 280);
  trace.contextSwitch(at(410), 0, [9, WAITING, 6], [0, 0]);
  released(420, EDITOR, 20);
  acquired(500, TRAY, 0, 165);
  acquired(600, TRAY, 10, 165);
  return trace.fact(whole.end, 'etw.end');
}

const query = await queryOf(lockTrace());

const load = (given: Readonly<Record<string, unknown>>, range = whole) =>
  userLocks.load(query, readParams(userLocks.params, given), range);

test('waits with their holders and what these did, and what threads had to do with the lock', async () => {
  const tables = userLockTables(await load({})).map(({ rows }) => rows);
  const [shell, tray, editor] = ['shell.exe (tid 9)', 'shell.exe (tid 10)', 'editor.exe (tid 20)'];
  expect(tables).toEqual([
    [
      [START + 120 * MS, 280 * MS, editor, 'have alone', shell, 280 * MS, 90 * MS, 40 * MS, 150 * MS],
      [START + 590 * MS, 10 * MS, tray, 'share', null, 0, 0, 0, 0],
    ],
    [
      [shell, 0, 0, 1, 300 * MS],
      [editor, 1, 280 * MS, 1, 20 * MS],
      [tray, 1, 10 * MS, 1, 1 * MS],
    ],
  ]);
});

test('the range, the process and the limit', async () => {
  const waits = async (given: Readonly<Record<string, unknown>>, range = whole) =>
    (await load(given, range)).waits.map(({ ts }) => (ts - START) / MS);
  expect(await waits({}, { start: START + 500 * MS, end: whole.end })).toEqual([590]);
  expect(await waits({ process: 'SHELL' })).toEqual([590]);
  expect(await waits({ limit: 1 })).toEqual([120]);
  const { threads, holds } = await load({}, { start: START + 200 * MS, end: START + 300 * MS });
  expect(threads.map(({ waited_ns, held_ns }) => [waited_ns / MS, held_ns / MS])).toEqual([
    [0, 100],
    [100, 0],
  ]);
  expect(holds.map(({ ts, dur }) => [(ts - START) / MS, dur / MS])).toEqual([[100, 300]]);
});

test('without events of the lock it says what records them', async () => {
  const empty = await queryOf(
    new TraceWriter()
      .start(START, START)
      .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: whole.end }),
  );
  const { unrecorded, waits } = await userLocks.load(empty, readParams(userLocks.params, {}), whole);
  expect(unrecorded).toBe(
    "No uses of the window manager's lock were recorded: nothing is known of the user lock. Record the provider Microsoft-Windows-Win32k with the keyword 0x0200000010000000.",
  );
  expect(waits).toEqual([]);
});

test('a still has a lane for each thread', async () => {
  const { texts } = stillOf(userLocks, await load({}), whole);
  expect(texts.filter((text) => text.includes('(tid'))).toEqual([
    'shell.exe (tid 9)',
    'editor.exe (tid 20)',
    'shell.exe (tid 10)',
  ]);
});
