import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Stretch } from '../tables/index.ts';
import { BlameStretches, type BlameSums } from './blame-stretches.ts';
import { BlameSweep } from './blame-sweep.ts';
import { eventsIn, wokenAcross, type RangeBlocks } from './kept-blocks.ts';
import { blocksOf, eventsOf, START, steps, THREADS } from './random-blocks.ts';
import type { Span } from './stretches.ts';

/** The sums of a sweep of all that a range holds. */
function swept(blocks: RangeBlocks, range: Stretch, asleep: readonly Span[]): BlameSums {
  const sweep = new BlameSweep(range, asleep, {}, wokenAcross(blocks, range.start));
  for (const events of eventsIn(blocks, range)) sweep.take(events);
  sweep.finish();
  return sweep.sums();
}

const asList = ({ active_ns, blocked_ns }: BlameSums) =>
  Array.from({ length: THREADS + 1 }, (_, utid) => [active_ns[utid] ?? 0, blocked_ns[utid] ?? 0]);

test.each([
  ['that are well told', 0],
  ['of which some are wrong or missing', 3],
  ['that are mostly wrong', 60],
])('ranges have the sums of their own sweeps: events %s', (_, wrong) => {
  const part = fc.integer({ min: 0, max: 1000 }).map((of) => of / 1000);
  const parts = fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 5 });
  const sizes = fc.record({
    together: fc.integer({ min: 1, max: 20 }),
    most: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(steps(wrong), sizes, parts, fc.tuple(part, part), (all, { together, most }, cuts, slept) => {
      const events = eventsOf(all);
      const last_ts = events.at(-1)?.ts ?? START;
      const at = (of: number) => START - 2 + Math.round(of * (last_ts + 4 - START));
      const range = { start: START + 5, end: Math.max(START + 6, last_ts - 5) };
      const asleep = [{ ts: at(slept[0]), te: at(slept[0]) + Math.round(5 * slept[1]) }];
      const blocks = blocksOf(events, together, range);
      const stretches = new BlameStretches(blocks, asleep, most);
      const within = (ts: number) => Math.min(range.end, Math.max(range.start, ts));
      const ranges = [
        range,
        ...cuts.map(([a, b]) => ({ start: within(at(Math.min(a, b))), end: within(at(Math.max(a, b))) })),
      ];
      for (const { start, end } of ranges) {
        if (start >= end) continue;
        const [found, expected] = [stretches.sumsIn({ start, end }), swept(blocks, { start, end }, asleep)];
        expect(asList(found)).toEqual(asList(expected));
      }
    }),
    { numRuns: 300 },
  );
});
