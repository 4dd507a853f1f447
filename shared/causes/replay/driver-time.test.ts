import { expect, test } from 'vitest';
import { START, Story } from '../testing.ts';
import { busyDrivers, driverTime } from './driver-time.ts';
import { whatIf } from './what-if.ts';

const whole = { start: START, end: START + 1_000_000 };
const us = (time: number) => START + time * 1000;

/** On one CPU thread 1 runs from 10 to 210 µs, 80 of them in DPCs; thread 2 is ready from 20 µs on. */
function story(): Story {
  const run = { rank: 0, outPriority: 8, waitReason: 6, state: 5 };
  return (
    new Story(2, 1000)
      .source(1, 'dpc', '\\SystemRoot\\ndis.sys')
      .source(2, 'dpc', '\\SystemRoot\\other.sys')
      .at(2, (trace, ts) => trace.contextSwitch(ts, 0, [0, 2, 0], [2, 8, run]))
      .at(5, (trace, ts) => trace.contextSwitch(ts, 0, [2, 5, 6], [0, 0]))
      .at(10, (trace, ts) => trace.contextSwitch(ts, 0, [0, 2, 0], [1, 8, run]))
      .at(20, (trace, ts) => trace.readyThread(ts, 0, 2, 1))
      // An interrupt is recorded as it ends: with its length in ns.
      .at(90, (trace, ts) => trace.interrupt(ts, 0, 1, 60_000))
      .at(95, (trace, ts) => trace.interrupt(ts, 0, 2, 4000))
      .at(130, (trace, ts) => trace.interrupt(ts, 0, 1, 20_000))
      .at(210, (trace, ts) => trace.contextSwitch(ts, 0, [1, 5, 6], [2, 8, run]))
      .at(250, (trace, ts) => trace.contextSwitch(ts, 0, [2, 5, 6], [0, 0]))
  );
}

test('how long a driver took a CPU between two times, whatever the case of its name', async () => {
  const query = await story().query();
  const timeOf = await driverTime(query, whole, 'NDIS.SYS');
  expect([timeOf(0, us(10), us(210)), timeOf(0, us(60), us(115)), timeOf(1, us(10), us(210))]).toEqual([
    80_000, 35_000, 0,
  ]);
  expect([...(await busyDrivers(query, whole))]).toEqual([
    ['ndis.sys', 80_000],
    ['other.sys', 4000],
  ]);
});

test('a driver half as long makes shorter the runs that it interrupts', async () => {
  const query = await story().query();
  const utids = await query('SELECT utid FROM thread WHERE tid = 2');
  const asked = new Set(utids.numbers('utid'));
  const found = await whatIf(query, whole, 1, { kind: 'driver', driver: 'ndis.sys', part: 0.5 }, asked);
  expect(found.recorded_ns).toBe(190_000);
  expect(found.replayed_ns - found.estimate_ns).toBe(40_000);
});
