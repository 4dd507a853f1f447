import { expect, test } from 'vitest';
import { BY_TIMER, loadDriverBlame } from './driver-blame.ts';
import { START, Story } from './testing.ts';

test('a driver made those wait who waited for a thread until its DPC woke that one', async () => {
  const story = new Story(4, 1000)
    .source(1, 'dpc', '\\ndis.sys')
    .source(2, 'timer_dpc', '\\ntoskrnl.exe')
    .source(3, 'dpc', '\\idle.sys')
    .runs(1, 10, 20)
    .runs(2, 10, 30)
    .wakes(50, 0, 2)
    .at(52, (trace, ts) => trace.interrupt(ts, 0, 1, 4000))
    .runs(2, 53, 90)
    .wakes(80, 2, 1)
    .runs(1, 81, 95)
    // Thread 4 waits for thread 3, and that one for a timer.
    .runs(3, 110, 130)
    .runs(4, 110, 120)
    .wakes(160, 0, 3)
    .at(161, (trace, ts) => trace.interrupt(ts, 0, 2, 2000))
    .runs(3, 162, 180)
    .wakes(170, 3, 4)
    .runs(4, 171, 180)
    .at(500, (trace, ts) => trace.interrupt(ts, 0, 3, 7000));
  const blames = await loadDriverBlame(await story.query(), { start: START, end: START + 1e6 });
  expect(blames.map(({ driver, blocked_ns, ran_ns }) => [driver, blocked_ns / 1000, ran_ns / 1000])).toEqual([
    [BY_TIMER, 30, 2],
    ['\\ndis.sys', 20, 4],
    ['\\idle.sys', 0, 7],
  ]);
});
