import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { WHOLE_TRACE } from '../../shared/recording/index.ts';
import { readParams } from '../../shared/view/index.ts';
import type { ReadyLatencyModel } from './model.ts';
import { loadRecorded } from './load-recorded.ts';
import { readyLatency } from './view.ts';

const START = 1_000_000_000;
const ms = (count: number) => START + count * 1e6;
const range = { start: START, end: ms(1000) };
const [READY, WAITING] = [1, 5];
const USER_REQUEST = 6;
const [WAITER, BUSY] = [20, 31];
const WAITS = 40;

/**
 * On one CPU, thread 20 waits 40 times, each time for longer. While it does, thread 31 runs: at a higher priority in even
 * waits; in odd ones at a lower priority and a better rank.
 */
function trace(cpu_count = 1, affinity?: number): Uint8Array {
  const writer = new TraceWriter().start(START, 1_700_000_000_000_000_000);
  writer
    .fact(START, 'etw.trace', { schema: 1, cpu_count, end_ts: range.end })
    .process(START, 'app.exe', 'app.exe', { pid: 16 })
    .thread(START, null, { tid: WAITER, pid: 16, ...(affinity === undefined ? {} : { affinity }) })
    .thread(START, null, { tid: BUSY, pid: 16 });
  const sample = (rank: number) => ({ rank, state: WAITING, waitReason: USER_REQUEST });
  for (let wait = 0; wait < WAITS; wait++) {
    const at = ms(20 * (wait + 1));
    const ready = at + 1_000_000;
    const ran = ready + 1_000_000 + wait * 100_000;
    writer
      .contextSwitch(at, 0, [0, READY, 0], [BUSY, wait % 2 === 0 ? 12 : 4, sample(0)])
      .readyThread(ready, 0, WAITER, BUSY)
      .contextSwitch(ran, 0, [BUSY, WAITING, USER_REQUEST], [WAITER, 8, sample(2)])
      .contextSwitch(ran + 1_000_000, 0, [WAITER, WAITING, USER_REQUEST], [0, 0]);
  }
  return writer.fact(range.end, 'etw.end').finish();
}

/** How often each reason is listed. */
function whys({ waits }: ReadyLatencyModel): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { why_late } of waits) counts[String(why_late)] = (counts[String(why_late)] ?? 0) + 1;
  return counts;
}

test('the first waits are judged with the list, the others later, and none twice', async () => {
  const query = await queryOf(trace());
  const load = (given: Readonly<Record<string, unknown>>) =>
    readyLatency.load(query, readParams(readyLatency.params, given), range);
  const later = (model: ReadyLatencyModel) =>
    readyLatency.later?.load(query, readParams(readyLatency.params, {}), range, model);

  const first = await load({});
  expect([whys(first), first.by_why]).toEqual([{ rank: 15, priority: 15, pending: 10 }, []]);
  const rest = await later(first);
  expect(rest?.waits.map(({ why_late }) => why_late)).toEqual(
    Array.from({ length: WAITS }, (_, wait) => (wait % 2 === 0 ? 'rank' : 'priority')),
  );
  expect(rest?.by_why.map(({ why, count }) => [why, count])).toEqual([
    ['rank', 20],
    ['priority', 20],
  ]);

  const again = await load({});
  expect(whys(again)).toEqual({ rank: 20, priority: 20 });
  expect(await later(again)).toBe(again);
});

test('only the waits with one main reason are listed, of the longest that pass the other filters', async () => {
  const query = await queryOf(trace());
  const load = (given: Readonly<Record<string, unknown>>) =>
    readyLatency.load(query, readParams(readyLatency.params, given), range);
  const later = (model: ReadyLatencyModel) =>
    readyLatency.later?.load(query, readParams(readyLatency.params, {}), range, model);
  const first = await load({ why: 'rank', limit: 18 });
  expect([whys(first), first.listed, first.only]).toEqual([
    { rank: 15 },
    15,
    'of the 40 longest those with the main reason rank, 10 yet to be judged',
  ]);
  expect(first.total.count).toBe(WAITS);
  const rest = await later(first);
  const words = 'of the 40 longest those with the main reason rank';
  expect(rest).toEqual({
    ...first,
    listed: 20,
    only: words,
    waits: rest?.waits,
    by_why: rest?.by_why,
    unjudged: null,
  });
  expect([rest && whys(rest), rest?.by_why.map(({ why, count }) => [why, count])]).toEqual([
    { rank: 18 },
    [['rank', 18]],
  ]);
  const again = await load({ why: 'rank', limit: 3 });
  expect([whys(again), again.listed, again.only]).toEqual([{ rank: 3 }, 20, words]);
  expect(await later(again)).toBe(again);
  const none = await load({ why: 'frozen', at_least_ms: 4 });
  expect([none.waits, none.listed]).toEqual([[], 0]);
});

test('a thread that is bound to one CPU is judged by that, whatever is not recorded of the other', async () => {
  const judged = async (affinity: number | undefined) => {
    const query = await queryOf(trace(2, affinity));
    const given = readParams(readyLatency.params, { why: 'priority', limit: 100 });
    return (await readyLatency.load(query, given, range)).waits.length;
  };
  // 30 are judged with the list, half of them for that reason.
  expect([await judged(undefined), await judged(1)]).toEqual([0, 15]);
});

test('a verdict is told what the trace does not hold of what explains waits', async () => {
  const { unrecorded_causes } = await loadRecorded(await queryOf(trace()), WHOLE_TRACE);
  expect(unrecorded_causes).toEqual(['DPCs and interrupts', 'affinities of threads', 'freezes of processes']);
});
