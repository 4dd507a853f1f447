import { expect, test } from 'vitest';
import { queryOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { loadEpisodes } from './episodes.ts';

const whole = { start: 1000, end: 900_000 };
const blocks = { rank: 0, outPriority: 8, waitReason: 6, state: 5 };
const header = { ActivityId: '{11111111-0000-0000-0000-000000000000}' };

/** A key comes while the app has the focus; its window thread is woken, runs, wakes a worker and blocks. A child comes. */
function trace(): Uint8Array {
  const trace = new TraceWriter()
    .start(whole.start, whole.start)
    .fact(whole.start, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: whole.end })
    .process(whole.start, 'app.exe', '', { pid: 16 })
    .thread(whole.start, 'UI', { tid: 20, pid: 16 })
    .thread(whole.start, 'worker', { tid: 21, pid: 16 })
    .image(whole.start, 16, { base: 0x5000, size: 0x100, path: 'app.exe' });
  const event = (ts: number, tag: string, id: number, fields: Record<string, string | number>, more = {}) =>
    trace.genericEvent(ts, tag, [16, 20], id, fields, more);
  event(2000, 'Microsoft-Windows-Win32k/FocusedProcessChange', 26, {
    SessionId: 1,
    OldProcessId: 0,
    NewProcessId: 16,
  });
  event(10_000, 'Multi-Input/Input', 404, { 'Virtual key code': 65, 'Key name': 'A' });
  trace.readyThread(12_000, 0, 20, 0).contextSwitch(15_000, 0, [0, 2, 0], [20, 8, blocks]);
  event(16_000, 'App/Load', 1, {}, { opcode: 1, header });
  trace
    .readyThread(20_000, 0, 21, 20)
    .contextSwitch(21_000, 1, [0, 2, 0], [21, 8, blocks])
    .contextSwitch(30_000, 1, [21, 5, 6], [0, 0]);
  event(39_000, 'App/Load', 2, {}, { opcode: 2, header });
  trace.contextSwitch(40_000, 0, [20, 5, 6], [0, 0]);
  event(50_000, 'Microsoft-Windows-Kernel-Process/ProcessFreeze', 11, { FrozenProcessID: 16 });
  trace
    .process(70_000, 'child.exe', '', { pid: 24, create_ts: 70_000, exit_ts: 95_000 })
    .thread(71_000, null, { tid: 28, pid: 24, create_ts: 71_000 })
    .image(76_000, 24, { base: 0x9000, size: 0x100, path: 'ntdll.dll', load_ts: 76_000 })
    .image(75_000, 24, { base: 0x5000, size: 0x100, path: 'child.exe', load_ts: 75_000 });
  event(90_000, 'Microsoft-Windows-Kernel-Process/ProcessFreeze', 12, { FrozenProcessID: 16 });
  return trace.fact(whole.end, 'etw.end').finish();
}

test('each kind has its count, percentiles and longest; kinds without episodes are left out', async () => {
  const query = await queryOf(trace());
  const utids = new Map(
    [...(await query('SELECT tid, utid FROM thread')).rows()].map(({ tid, utid }) => [
      Number(tid),
      Number(utid),
    ]),
  );
  const [ui, child] = [utids.get(20) ?? -1, utids.get(28) ?? -1];
  const one = (kind: string, ts: number, te: number, utid = ui) => ({
    kind,
    count: 1,
    p50_ns: te - ts,
    p95_ns: te - ts,
    longest: { utid, ts, te },
  });
  expect(await loadEpisodes(query, whole)).toEqual([
    one('input', 10_000, 40_000),
    one('activity', 16_000, 39_000),
    one('process_life', 70_000, 95_000, child),
    one('process_to_image', 70_000, 75_000, child),
    one('freeze', 50_000, 90_000),
    { kind: 'wake', count: 2, p50_ns: 1000, p95_ns: 3000, longest: { utid: ui, ts: 12_000, te: 15_000 } },
  ]);
});

test('only episodes that lie in the range as a whole count', async () => {
  const query = await queryOf(trace());
  const kinds = (await loadEpisodes(query, { start: 14_000, end: 60_000 })).map(({ kind, count }) => [
    kind,
    count,
  ]);
  expect(kinds).toEqual([
    ['activity', 1],
    ['wake', 1],
  ]);
});
