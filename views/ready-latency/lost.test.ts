import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter, type Annotation } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { loadWithMeanwhile } from './testing.ts';
import { readyLatency } from './view.ts';

const START = 1_000_000_000;
const ms = (count: number) => START + count * 1e6;
const range = { start: START, end: ms(100) };
const [READY, WAITING] = [1, 5];
const USER_REQUEST = 6;
const [WAITER, BUSY, OTHER] = [20, 31, 32];

/** Why a thread waited from 10 ms to 60 ms, while two CPUs ran threads of higher priority; of a trace with this loss. */
async function whyLate(ts: number, loss: Readonly<Record<string, Annotation>>) {
  const busy = { rank: 0, state: WAITING, waitReason: USER_REQUEST };
  const trace = new TraceWriter()
    .start(START, 1_700_000_000_000_000_000)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: range.end })
    .process(START, 'app.exe', 'app.exe', { pid: 16 })
    .thread(START, null, { tid: WAITER, pid: 16 })
    .thread(START, null, { tid: BUSY, pid: 16 })
    .thread(START, null, { tid: OTHER, pid: 16 })
    .fact(ts, 'etw.loss', { kind: 'lost_events', ...loss })
    .contextSwitch(ms(1), 0, [WAITER, WAITING, USER_REQUEST], [BUSY, 12, busy])
    .contextSwitch(ms(2), 1, [0, READY, 0], [OTHER, 12, busy])
    .readyThread(ms(10), 0, WAITER, BUSY)
    .contextSwitch(ms(60), 0, [BUSY, WAITING, USER_REQUEST], [WAITER, 8, { ...busy, rank: 0 }])
    .contextSwitch(ms(70), 0, [WAITER, WAITING, USER_REQUEST], [0, 0])
    .contextSwitch(ms(80), 1, [OTHER, WAITING, USER_REQUEST], [0, 0])
    .fact(range.end, 'etw.end');
  const query = await queryOf(trace);
  const params = readParams(readyLatency.params, { wait_ts: ms(10), wait_tid: WAITER });
  const { waits, meanwhile } = await loadWithMeanwhile(query, params, range);
  return { listed: waits.map(({ why_late }) => why_late), shares: meanwhile?.verdict.shares };
}

test('a thread may have run where events of a CPU are lost: what others ran meanwhile explains nothing', async () => {
  expect(await whyLate(ms(12), { cpu: 1, dur_ns: 36e6 })).toEqual({
    listed: ['not_explained'],
    shares: [
      { why: 'not_recorded', ns: 36e6 },
      { why: 'priority', ns: 14e6 },
    ],
  });
});

test('lost events without a known place leave the reasons as they are', async () => {
  expect(await whyLate(START, { dur_ns: 100e6, count: 1 })).toEqual({
    listed: ['priority'],
    shares: [{ why: 'priority', ns: 50e6 }],
  });
});
