import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { packRunSample, TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import type { RankHistoryModel } from './model.ts';
import { rankHistory } from './view.ts';

const WAITING = 5;
const whole = { start: 1000, end: 2000 };
/** One CPU: thread 20 goes from rank 0 to 2, is then ready for 200 ns, and goes back; thread 21 stays at rank 0. */
function rankWalk(): TraceWriter {
  const run = (rank: number) => ({ rank, outPriority: 8, waitReason: 6, state: WAITING });
  return new TraceWriter()
    .start(1000, 0)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .process(1000, 'LockApp.exe', '', { pid: 16 })
    .thread(1000, 'UI', { tid: 20, pid: 16 })
    .thread(1000, null, { tid: 21, pid: 16 })
    .contextSwitch(1100, 0, [0, 2, 0], [20, 8, run(0)])
    .contextSwitch(1200, 0, [20, WAITING, 6], [21, 8, run(0)])
    .contextSwitch(1300, 0, [21, WAITING, 6], [20, 14, run(2)])
    .contextSwitch(1400, 0, [20, WAITING, 6], [21, 8, run(0)])
    .readyThread(1450, 0, 20, 21)
    .contextSwitch(1650, 0, [21, WAITING, 6], [20, 14, run(2)])
    .contextSwitch(1700, 0, [20, WAITING, 6], [0, 0])
    .contextSwitch(1800, 0, [0, 2, 0], [20, 8, run(0)])
    .contextSwitch(1900, 0, [20, WAITING, 6], [0, 0]);
}

const ended = (trace: TraceWriter) => trace.fact(2000, 'etw.end').flush(2000);
const query = await queryOf(ended(rankWalk()));

const load = (given: Readonly<Record<string, unknown>>, range = whole) =>
  rankHistory.load(query, readParams(rankHistory.params, given), range);

const thread = { process: 'LockApp.exe', service: null, pid: 16, thread: 'UI', tid: 20 };
const notRecorded = { focus: null, frozen_ns: null, asleep_ns: null };

test('all that is drawn of a thread that leaves rank 0 and comes back', async () => {
  expect(await load({})).toEqual({
    origin_ns: 1000,
    unrecorded: null,
    notes: [
      'There were no changes of the focus, or they were not recorded: whether ranks changed with it is not known. Record the provider Microsoft-Windows-Win32k with the keyword 0x2000 (Focus).',
      'There were no freezes of processes, or they were not recorded: whether ranks changed with them is not known. Record the provider Microsoft-Windows-Kernel-Process with the keyword 0x200 (PROCESS_FREEZE).',
    ],
    thread_count: 1,
    lanes: [
      {
        ...thread,
        spans: [
          { ts: 1200, dur: 200, rank: 0 },
          { ts: 1400, dur: 500, rank: 2 },
          { ts: 1900, dur: 100, rank: 0 },
        ],
        waits: [{ ts: 1450, dur: 200 }],
        highest_rank: 2,
        ranked_ns: 500,
        ran_ns: 150,
        ready_ns: 200,
        longest_ready_ns: 200,
      },
    ],
    change_count: 2,
    changes: [
      {
        ts: 1400,
        ...thread,
        from_rank: 0,
        to_rank: 2,
        unseen_ns: 200,
        kept_ns: 500,
        ran_before_ns: 200,
        ready_ns: 200,
        ...notRecorded,
      },
      {
        ts: 1900,
        ...thread,
        from_rank: 2,
        to_rank: 0,
        unseen_ns: 200,
        kept_ns: 100,
        ran_before_ns: 350,
        ready_ns: 0,
        ...notRecorded,
      },
    ],
  } satisfies RankHistoryModel);
});

test('a run that began before the recording tells a rank where it ends', async () => {
  const before = packRunSample({ rank: 2, outPriority: 8, waitReason: 6, waitMode: 0, state: WAITING });
  const trace = new TraceWriter()
    .start(1000, 0)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .process(1000, 'LockApp.exe', '', { pid: 16 })
    .thread(1000, 'UI', { tid: 20, pid: 16 })
    .contextSwitch(1100, 0, [20, WAITING, 6], [0, 0])
    .fact(1100, 'etw.run_before', { tid: 20, sample: before })
    .contextSwitch(1300, 0, [0, 2, 0], [20, 8, { rank: 0, outPriority: 8, waitReason: 6, state: WAITING }])
    .contextSwitch(1400, 0, [20, WAITING, 6], [0, 0]);
  const params = readParams(rankHistory.params, {});
  const { lanes, changes } = await rankHistory.load(await queryOf(ended(trace)), params, whole);
  expect(lanes.map(({ spans }) => spans)).toEqual([
    [
      { ts: 1100, dur: 300, rank: 2 },
      { ts: 1400, dur: 600, rank: 0 },
    ],
  ]);
  expect(changes.map(({ ts, unseen_ns }) => ({ ts, unseen_ns }))).toEqual([{ ts: 1400, unseen_ns: 300 }]);
});

test('the focus, freezes and sleep stand by the change that they fall on', async () => {
  const power = 'Microsoft-Windows-Kernel-Power';
  const freezes = 'Microsoft-Windows-Kernel-Process/ProcessFreeze';
  const eventful = rankWalk()
    .genericEvent(1150, 'Microsoft-Windows-Win32k/FocusChange', [16, 20], 26, {
      SessionId: 1,
      OldProcessId: 0,
      NewProcessId: 16,
    })
    .genericEvent(1710, freezes, [16, 20], 11, { FrozenProcessID: 16 })
    .genericEvent(1740, `${power}/Sleep`, [16, 20], 42, {})
    .genericEvent(1770, `${power}/Wake`, [16, 20], 107, {})
    .genericEvent(1790, freezes, [16, 20], 12, { FrozenProcessID: 16 });
  const model = await rankHistory.load(
    await queryOf(ended(eventful)),
    readParams(rankHistory.params, {}),
    whole,
  );
  const around = model.changes.map(({ ts, to_rank, focus, frozen_ns, asleep_ns }) => {
    return { ts, to_rank, focus, frozen_ns, asleep_ns };
  });
  expect(around).toEqual([
    { ts: 1400, to_rank: 2, focus: 'LockApp.exe', frozen_ns: 80, asleep_ns: 30 },
    { ts: 1900, to_rank: 0, focus: 'LockApp.exe', frozen_ns: 0, asleep_ns: 0 },
  ]);
});

test('the range and the process clip and filter', async () => {
  const { lanes, changes } = await load({}, { start: 1500, end: 1600 });
  expect(changes).toEqual([]);
  expect(lanes.map(({ spans, waits, ready_ns }) => ({ spans, waits, ready_ns }))).toEqual([
    { spans: [{ ts: 1500, dur: 100, rank: 2 }], waits: [{ ts: 1500, dur: 100 }], ready_ns: 100 },
  ]);
  expect((await load({}, { start: 1000, end: 1399 })).lanes).toEqual([]);
  expect((await load({ process: 'photos' })).thread_count).toBe(0);
});

test('a still is one SVG, with each lane named and each rank numbered', async () => {
  const { texts } = stillOf(rankHistory, await load({}), whole);
  expect(texts.slice(5, 7)).toEqual([
    'Rank over time',
    '1, longest at a rank above 0 first; One thread had a rank above 0, with 2 changes of rank.',
  ]);
  expect(texts.slice(-5)).toEqual(['LockApp.exe', 'tid 20 UI', '0', '2', '0']);
});
