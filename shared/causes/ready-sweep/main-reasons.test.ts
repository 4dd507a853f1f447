import { expect, test } from 'vitest';
import { WHYS } from '../../why-late/index.ts';
import { START, Story } from '../testing.ts';
import { eachMainReason } from './main-reasons.ts';

/** When each wait of a story began, in µs, and its main reason. */
async function mainReasons(story: Story): Promise<readonly string[]> {
  const told: string[] = [];
  await eachMainReason(await story.query(), 10, (waits, rows, whys) => {
    for (const row of rows) {
      const us = ((waits.number('ts', row) ?? 0) - START) / 1000;
      told.push(`${us}: ${WHYS[whys[row] ?? 0] ?? ''}`);
    }
  });
  return told;
}

test('a wait in which nothing changes has one reason: a free CPU that wakes up, or an interrupt on the CPU', async () => {
  const story = new Story(1, 1000)
    .source(1, 'dpc', '\\ndis.sys')
    .runs(1, 10, 20)
    .wakes(90, 0, 1)
    .runs(1, 100, 110)
    .wakes(150, 0, 1)
    // The interrupt lasts from 140 to 180.
    .at(180, (trace, ts) => trace.interrupt(ts, 1, 1, 40_000))
    .runs(1, 180, 200);
  expect(await mainReasons(story)).toEqual(['90: idle_wake_up', '150: interrupt']);
});
