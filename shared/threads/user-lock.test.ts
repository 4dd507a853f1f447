import { expect, test } from 'vitest';
import { queryOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { dataOf } from '../tables/index.ts';
import { loadUserLock, longestHolder } from './user-lock.ts';

const MS = 1_000_000;
/** Ticks of the performance counter a ms. */
const TICKS = 10_000;
const [SHELL, EDITOR] = [
  [8, 9],
  [16, 20],
] as const;

/** The shell holds the lock from 100 to 400 ms; the editor waits for it from 120 ms on. Events for telemetry tell the same again. */
function lockTrace(): TraceWriter {
  const trace = new TraceWriter().start(0, 0).fact(0, 'etw.trace', {
    schema: 1,
    cpu_count: 1,
    end_ts: 1000 * MS,
    clock: 'qpc',
    clock_hz: TICKS * 1000,
  });
  for (const [pid, tid] of [SHELL, EDITOR])
    trace.process(0, `${pid}.exe`, '', { pid }).thread(0, null, { tid, pid });
  const event = (ms: number, thread: readonly [number, number], id: number, fields: Record<string, number>) =>
    trace.genericEvent(ms * MS, `Microsoft-Windows-Win32k/${id}`, thread, id, fields);
  event(100, SHELL, 163, { AcquireQpcCounts: 0, AcquireTimeMs: 0 });
  event(400, SHELL, 167, { HoldQpcCounts: 300 * TICKS });
  event(400, SHELL, 417, { HoldTimeMs: 300 });
  event(400, EDITOR, 164, { AcquireQpcCounts: 280 * TICKS });
  event(420, EDITOR, 167, { HoldTimeMs: 20 });
  event(500, EDITOR, 166, { AcquireQpcCounts: 5 });
  event(600, EDITOR, 167, {});
  return trace.fact(1000 * MS, 'etw.end');
}

test('who waited for the user lock and who held it, as SQL has it', async () => {
  const query = await queryOf(lockTrace());
  const lock = await loadUserLock(dataOf(query).tables);
  const rows = async (sql: string) => Array.from((await query(sql)).rows(), (row) => ({ ...row }));
  const waits = await rows('SELECT ts, dur, utid, is_shared FROM etw_user_lock_wait ORDER BY ts');
  expect(lock.waits.map((wait) => ({ ...wait, is_shared: Number(wait.is_shared) }))).toEqual(waits);
  expect(lock.holds).toEqual(await rows('SELECT ts, dur, utid FROM etw_user_lock_hold ORDER BY ts'));
  expect(lock.waits.map(({ ts, dur, is_shared }) => [ts, dur, is_shared])).toEqual([
    [100 * MS, 0, false],
    [120 * MS, 280 * MS, false],
    [500 * MS - 500, 500, true],
  ]);
  expect(lock.holds.map(({ ts, dur }) => [ts, dur])).toEqual([
    [100 * MS, 300 * MS],
    [400 * MS, 20 * MS],
  ]);
  const [, wait] = lock.waits;
  const holder = wait && longestHolder(wait, lock, 0);
  expect(holder).toEqual({
    utid: lock.holds[0]?.utid,
    held_ns: 280 * MS,
    spans: [{ utid: lock.holds[0]?.utid, ts: 120 * MS, te: 400 * MS }],
  });
});
