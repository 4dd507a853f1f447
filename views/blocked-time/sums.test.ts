import { expect, test } from 'vitest';
import { loadBlockedSides, loadBlockedSums, type BlockedGroups } from '../../shared/causes/index.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import { sidesOf } from './frames.ts';
import { drawGroups, drawSides, type Drawing } from './sums.ts';

const START = 1_000_000;
const [WAITING, DELAY_EXECUTION, USER_REQUEST, WR_QUEUE] = [5, 4, 6, 15];
/** How long each run takes with what follows it, in ns. */
const SLOT = 10_000;

/**
 * Threads that take turns on one CPU, twice, and block in between, for work or not. A few of them wake all, `within_ns` after they
 * blocked. Drawn by all sides of the blocks at once, and by each side.
 */
async function draws(threads: number, within_ns: number, by: Drawing['by']) {
  const end = START + 3 * threads * SLOT;
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: end })
    .process(START, 'app.exe', '', { pid: 8 })
    .process(START, 'server.exe', '', { pid: 16 });
  for (let tid = 1; tid <= threads; tid++) trace.thread(START, null, { tid, pid: tid % 3 === 0 ? 16 : 8 });
  // Numbers that look like chance and are the same each time.
  let seed = 7;
  const upTo = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  const events: { readonly ts: number; readonly write: () => unknown }[] = [];
  const at = (ts: number, write: () => unknown) => events.push({ ts, write });
  for (let turn = 0; turn < 2 * threads; turn++) {
    const [ts, tid] = [START + turn * SLOT + upTo(SLOT - 3000), 1 + (turn % threads)];
    const [waitReason = 0, waker] = [[USER_REQUEST, WR_QUEUE, DELAY_EXECUTION][upTo(3)], upTo(5)];
    const sample = { rank: 0, outPriority: 8, waitReason, state: WAITING };
    const woken = ts + 2000 + upTo(within_ns);
    at(ts + 1000, () => trace.contextSwitch(ts + 1000, 0, [0, 2, 0], [tid, 8, sample]));
    at(ts + 2000, () => trace.contextSwitch(ts + 2000, 0, [tid, WAITING, waitReason], [0, 0]));
    if (waker > 0) at(woken, () => trace.readyThread(woken, 1, tid, waker));
  }
  events.sort((a, b) => a.ts - b.ts).forEach(({ write }) => write());
  const query = await queryOf(trace.fact(end, 'etw.end'));
  const range = { start: START, end };
  const names = await loadThreadNames(dataOf(query).tables);
  const drawing = ({ reasons }: BlockedGroups): Drawing => ({
    ...{ by, names, limit: 5, stackTitle: null },
    sides: sidesOf(names, reasons, null),
  });
  const { groups } = await loadBlockedSums(query, { range, utids: null, withWork: true }, null);
  const sides = await loadBlockedSides(query, range);
  return {
    parted: drawGroups(groups, drawing(groups)),
    atOnce: sides && drawSides(sides, drawing(sides.byThread)),
  };
}

test.each(['reason', 'waker'] as const)(
  'many narrow threads are drawn from sums by each side: %s',
  async (by) => {
    const { parted, atOnce } = await draws(2500, 2400 * SLOT, by);
    expect(parted.root.children.length).toBeGreaterThan(2);
    expect(parted.lists.map(({ all }) => all)).toEqual([3, 6, 2500]);
    expect(atOnce).toEqual(parted);
  },
);

test('threads that are wide enough to be drawn need all sides at once', async () => {
  expect((await draws(20, 15 * SLOT, 'reason')).atOnce).toBe(null);
});
