import { expect, test } from 'vitest';
import { sweep, type StandingRun } from './sweep.ts';

const wait = { ts: 1000, dur: 1000 };
const all = { period_ns: 1000, window_ns: 1000 };

const run = (cpu: number, ts: number, te: number, standing: StandingRun['standing']): StandingRun => ({
  cpu,
  ts,
  te,
  standing,
});

test('each instant counts once, by what all CPUs do; the parts sum to the wait', () => {
  const runs = [
    run(0, 1000, 1400, 'priority'),
    run(0, 1400, 1700, 'better_rank'),
    run(0, 1700, 2000, 'priority'),
    run(1, 1000, 1500, 'priority'),
    run(1, 1500, 1800, 'better_rank'),
    run(1, 1800, 1900, 'unknown'),
    run(1, 1900, 2000, 'behind'),
  ];
  expect(sweep(wait, 2, runs, [], all)).toEqual({
    parts: { priority: 400, rank: 400, not_recorded: 100, free: 100 },
    final_ns: 100,
  });
});

test('a CPU without a run, and one in a gap, is not recorded; a free CPU counts whatever the others do', () => {
  const runs = [run(0, 1000, 2000, 'priority'), run(1, 1200, 1600, 'priority'), run(1, 1600, 1700, 'idle')];
  const gaps = [{ cpu: 0, ts: 1500, te: 1650 }];
  expect(sweep(wait, 2, runs, gaps, all)).toEqual({
    parts: { not_recorded: 600, priority: 300, rank: 0, free: 100 },
    final_ns: 0,
  });
});

test('with windows only their runs are needed, and the parts are scaled up to the wait', () => {
  const runs = [
    run(0, 1400, 1520, 'priority'),
    run(0, 1900, 1925, 'better_rank'),
    run(0, 1925, 2000, 'idle'),
  ];
  expect(sweep(wait, 1, runs, [], { period_ns: 500, window_ns: 100 })).toEqual({
    parts: { priority: 500, rank: 125, free: 375, not_recorded: 0 },
    final_ns: 75,
  });
});
