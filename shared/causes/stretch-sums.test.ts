import { expect, test } from 'vitest';
import { dataOf } from '../tables/index.ts';
import { BlockGroups } from './block-groups.ts';
import { StretchSums, wakerOfNumber } from './stretch-sums.ts';
import { DELAY_EXECUTION, START, Story, USER_REQUEST, WR_QUEUE } from './testing.ts';

const END_US = 4000;

/** Four threads that run and block for some time each, and now and then are woken by another one. */
function story(): Story {
  const story = new Story(4, END_US);
  let seed = 1;
  /** The next of numbers that look random, below `most`. */
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let tid = 1; tid <= 4; tid++)
    for (let us = 10 + tid; us < END_US - 300;) {
      const until = us + 1 + next(60);
      story.runs(tid, us, until, [USER_REQUEST, WR_QUEUE, DELAY_EXECUTION][next(3)]);
      const woken = until + 1 + next(90);
      us = woken + 1 + next(20);
      if (next(3) > 0) story.wakes(woken, next(5), tid);
    }
  return story;
}

test.each([true, false])(
  'sums of stretches give what all blocks give; waits for work parted: %s',
  async (partsWork) => {
    const { tables } = dataOf(await story().query());
    const sumsOf = async (how: { readonly stretches?: number; readonly most?: number }) => {
      const stretches = await StretchSums.of(tables, () => new BlockGroups(null, partsWork), how);
      return async (from_us: number, to_us: number) => {
        const range = { start: START + from_us * 1000, end: START + to_us * 1000 };
        const { sums, wakers, groups } = await stretches.sumsIn(range);
        const { group, ns, count, longest_ts, longest_ns, longest_utid, order } = sums;
        const inOrder = <T extends { readonly order: number | undefined }>(rows: readonly T[]) =>
          [...rows].sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
        const parted = Array.from(group, (of, row) => ({
          ...{ utid: groups.utidOf(of), reason: groups.reasons[groups.reasonOf(of)] },
          ...{ waker: groups.wakerOf(of), callsite: groups.callsiteOf(of) },
          ...{ ns: ns[row], count: count[row], order: order[row] },
          ...{ longest_ts: longest_ts[row], longest_ns: longest_ns[row], longest_utid: longest_utid[row] },
        }));
        const byWaker = Array.from(wakers.group, (of, row) => ({
          ...{ waker: wakerOfNumber(of), ns: wakers.ns[row], order: wakers.order[row] },
          ...{ longest_ns: wakers.longest_ns[row], longest_utid: wakers.longest_utid[row] },
        }));
        return { parted: inOrder(parted), byWaker: inOrder(byWaker) };
      };
    };
    const expected = await sumsOf({ most: 0 });
    const whole = await expected(0, END_US);
    expect(whole.parted.length).toBeGreaterThan(20);
    expect(whole.byWaker.length).toBe(partsWork ? 0 : 6);
    for (const stretches of [1, 2, 7, 30, 1000]) {
      const found = await sumsOf({ stretches });
      for (const [from, to] of [
        [0, END_US],
        [100, 3900],
        [1000, 1003],
        [777, 2345],
        [3000, END_US],
      ] as const)
        expect(await found(from, to)).toEqual(await expected(from, to));
    }
  },
);
