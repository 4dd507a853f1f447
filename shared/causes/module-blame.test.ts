import { expect, test } from 'vitest';
import { loadModuleBlame } from './module-blame.ts';
import { START, Story } from './testing.ts';

/** 50 µs of priority 8 and rank 0, as `etw.stack` packs it. */
const SAMPLE = { isKernel: false, value: 500 * 0x1_0000 + 0x2000 + 8 * 0x100 };

test('code made those wait who waited for the thread that ran it', async () => {
  const story = new Story(3, 1000)
    .at(1, (trace, ts) =>
      trace.beginSamples(
        ts,
        [
          ['\\Windows\\lock.dll', 0x1000, 0x2000],
          ['\\app.exe', 0x4000, 0x5000],
        ],
        [
          [0, 0x10],
          [1, 0x20],
        ],
        [[1, 0], [1]],
      ),
    )
    .runs(1, 10, 20)
    .runs(2, 11, 30)
    .runs(3, 5, 200)
    .wakes(180, 3, 1)
    .wakes(181, 3, 2)
    .runs(1, 182, 195)
    .runs(2, 183, 196);
  const sample = (us: number, stack: number, tid: number) =>
    story.at(us, (trace, ts) => trace.sample(ts, tid, [4, tid], { ...SAMPLE, stack }));
  // One waits for thread 3 at 25 µs, two do from 30 µs to 180 µs, and then none.
  sample(25, 1, 3);
  sample(100, 0, 3);
  sample(150, 0, 3);
  sample(190, 1, 3);
  sample(191, 1, 2);
  const range = { start: START, end: START + 1e6 };
  expect(await loadModuleBlame(await story.query(), range)).toEqual([
    { module: 'lock.dll', active_ns: 2 * 2 * 50_000, ran_ns: 2 * 50_000 },
    { module: 'app.exe', active_ns: 50_000, ran_ns: 3 * 50_000 },
  ]);
});
