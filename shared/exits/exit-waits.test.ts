import { expect, test } from 'vitest';
import { queryOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { loadExitWaits } from './exit-waits.ts';

const WAITING = 5;
const WR_RESOURCE = 27;
const blocks = { rank: 0, outPriority: 8, waitReason: WR_RESOURCE, state: WAITING };

/** As `first.exe` ends it lets a server go, and the server lets `second.exe` go, which waited to end: it stood behind the first. */
function handedOn(): TraceWriter {
  const trace = new TraceWriter().start(1000, 1000);
  trace.fact(1000, 'etw.trace', { schema: 1, cpu_count: 2, start_utc_ns: 0, end_ts: 9000 });
  trace.process(1000, 'server.exe', '', { pid: 8 }).thread(1000, null, { tid: 9, pid: 8 });
  for (const [name, pid, exit_ts] of [
    ['first.exe', 16, 7000],
    ['second.exe', 24, 8000],
  ] as const) {
    trace.process(1000, name, '', { pid, exit_ts, exit_code: 0 });
    trace.thread(1000, null, { tid: pid + 1, pid, exit_ts: 2000 });
  }
  return trace
    .contextSwitch(1100, 0, [0, 2, 0], [17, 8, blocks])
    .contextSwitch(1200, 1, [0, 2, 0], [25, 8, blocks])
    .contextSwitch(2500, 1, [25, WAITING, WR_RESOURCE], [9, 8, blocks])
    .contextSwitch(3000, 1, [9, WAITING, WR_RESOURCE], [0, 0])
    .readyThread(4000, 0, 9, 17)
    .contextSwitch(4100, 1, [0, 2, 0], [9, 8, blocks])
    .readyThread(5000, 1, 25, 9)
    .contextSwitch(5100, 1, [9, WAITING, WR_RESOURCE], [25, 8, blocks])
    .contextSwitch(6000, 1, [25, WAITING, WR_RESOURCE], [0, 0])
    .contextSwitch(6500, 0, [17, WAITING, WR_RESOURCE], [0, 0])
    .fact(9000, 'etw.end');
}

test('an exit waits for the one that let its waker go, as SQL has it', async () => {
  const query = await queryOf(handedOn());
  const { waits, released } = await loadExitWaits(query);
  const told = waits.map(({ exit, wake, ts, reason, before_upid }) => ({
    ...{ upid: exit.upid, utid: wake.utid, ts, dur: wake.ts - ts, ready_ts: wake.ts },
    ...{ wait_reason: reason, waker_utid: wake.waker_utid, before_upid },
  }));
  const rows = (await query('SELECT * FROM etw_process_exit_wait')).rows();
  expect(told).toEqual([...rows].map((row) => ({ ...row })));
  const names = (await query('SELECT upid, name FROM etw_process')).rows();
  const nameOf = new Map(Array.from(names, ({ upid, name }) => [upid, name]));
  expect(
    told.map(({ upid, ts, dur, wait_reason, before_upid }) => [
      ...[nameOf.get(upid), ts, dur, wait_reason],
      nameOf.get(before_upid ?? 0),
    ]),
  ).toEqual([['second.exe', 2500, 2500, 'WrResource', 'first.exe']]);
  expect(released.map(({ ts }) => ts)).toEqual([4000]);
});
