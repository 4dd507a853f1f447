import { expect, test } from 'vitest';
import { noParts, type Standing } from '../why-late/index.ts';
import { NO_CPU_TIME, sweep, type Evidence } from './sweep.ts';

const wait = { ts: 1000, dur: 1000, cpu: 0 };
const all = { period_ns: 1000, window_ns: 1000 };
const nothing: Evidence = { runs: [], gaps: [], interrupts: [], held: [], bound: [] };

/** A machine whose clock ticks by 100 ns, unless it is told. */
const machine = (cpu_count: number, tick_ns = 100) => ({ cpu_count, tick_ns });

const run = (cpu: number, ts: number, te: number, standing: Standing) => ({ cpu, ts, te, standing });

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
  expect(sweep(wait, machine(2), { ...nothing, runs }, all)).toEqual({
    parts: { ...noParts(), priority: 400, rank: 400, not_recorded: 100, free: 100 },
    cpu_ns: { ...NO_CPU_TIME, priority: 1200, better_rank: 600, unknown: 100, behind: 100 },
    final_ns: 100,
  });
});

test('a CPU without a run is not recorded; a free CPU counts whatever the others do', () => {
  const runs = [run(0, 1000, 2000, 'priority'), run(1, 1200, 1600, 'priority'), run(1, 1600, 1700, 'idle')];
  expect(sweep(wait, machine(2), { ...nothing, runs }, all)).toEqual({
    parts: { ...noParts(), not_recorded: 500, priority: 400, free: 100 },
    cpu_ns: { ...NO_CPU_TIME, priority: 1400, idle: 100, not_recorded: 500 },
    final_ns: 0,
  });
});

test('while a CPU is in a gap the thread may have run there, whatever was free elsewhere, but not where it may not run', () => {
  const runs = [run(0, 1000, 1500, 'priority'), run(0, 1700, 2000, 'priority'), run(1, 1000, 2000, 'idle')];
  const gaps = [{ cpu: 0, ts: 1500, te: 1700 }];
  const cpu_ns = { ...NO_CPU_TIME, priority: 800, not_recorded: 200 };
  expect(sweep(wait, machine(2), { ...nothing, runs, gaps }, all)).toEqual({
    parts: { ...noParts(), not_recorded: 200, free: 800 },
    cpu_ns: { ...cpu_ns, idle: 1000 },
    final_ns: 300,
  });
  const bound = [{ ts: 1000, te: 2000, cpus: new Set([1]) }];
  expect(sweep(wait, machine(2), { ...nothing, runs, gaps, bound }, all)).toEqual({
    parts: { ...noParts(), free: 1000 },
    cpu_ns: { ...NO_CPU_TIME, elsewhere: 800, not_recorded: 200, idle: 1000 },
    final_ns: 1000,
  });
});

test('a DPC explains where it keeps a CPU that would be free: the last one left, or the one that took the thread', () => {
  const runs = [run(0, 1000, 2000, 'idle'), run(1, 1000, 1500, 'priority'), run(1, 1500, 2000, 'idle')];
  const interrupts = [
    { cpu: 0, ts: 900, te: 1600 },
    { cpu: 0, ts: 1100, te: 1200 },
    { cpu: 1, ts: 1300, te: 1400 },
    { cpu: 1, ts: 1700, te: 1800 },
  ];
  const evidence = { ...nothing, runs, interrupts };
  const cpu_ns = { ...NO_CPU_TIME, idle: 400 + 400, priority: 400, interrupt: 600 + 200 };
  expect(sweep(wait, machine(2), evidence, all)).toEqual({
    parts: { ...noParts(), interrupt: 600, free: 400 },
    cpu_ns,
    final_ns: 400,
  });
  // Another CPU took it: from 1500 on it was idle, and in no interrupt but the short one.
  expect(sweep({ ...wait, cpu: 1 }, machine(2), evidence, all)).toEqual({
    parts: { ...noParts(), interrupt: 500 + 100, free: 400 },
    cpu_ns,
    final_ns: 200,
  });
});

test('CPUs that the thread may not use do not count, but one of them that was free explains', () => {
  const runs = [run(0, 1000, 2000, 'priority'), run(1, 1000, 1300, 'priority'), run(1, 1300, 2000, 'idle')];
  const bound = [{ ts: 500, te: 1800, cpus: new Set([0]) }];
  expect(sweep(wait, machine(2), { ...nothing, runs, bound }, all)).toEqual({
    parts: { ...noParts(), priority: 300, affinity: 500, free: 200 },
    cpu_ns: { ...NO_CPU_TIME, priority: 1000, elsewhere: 800, idle: 200 },
    final_ns: 200,
  });
});

test('what keeps a thread from running whatever the CPUs do goes before all else', () => {
  const runs = [run(0, 1000, 1500, 'priority'), run(0, 1500, 2000, 'idle')];
  const held = [
    { ts: 1000, te: 1200, why: 'swapped_out' as const },
    { ts: 1100, te: 1700, why: 'frozen' as const },
    { ts: 1600, te: 1800, why: 'asleep' as const },
  ];
  expect(sweep(wait, machine(1), { ...nothing, runs, held }, all)).toEqual({
    parts: { ...noParts(), swapped_out: 100, frozen: 500, asleep: 200, free: 200 },
    cpu_ns: { ...NO_CPU_TIME, priority: 500, idle: 500 },
    final_ns: 200,
  });
});

test('what lies within a tick of the clock does not end the stretch with a free CPU', () => {
  const runs = [run(0, 1000, 1500, 'idle'), run(0, 1500, 1504, 'priority'), run(0, 1504, 2000, 'idle')];
  const swept = (tick_ns: number) => sweep(wait, machine(1, tick_ns), { ...nothing, runs }, all);
  const seen = {
    parts: { ...noParts(), priority: 4, free: 996 },
    cpu_ns: { ...NO_CPU_TIME, priority: 4, idle: 996 },
  };
  expect(swept(100)).toEqual({ ...seen, final_ns: 996 });
  // Of a clock that counts cycles of 3 GHz, the run was one.
  expect(swept(1 / 3)).toEqual({ ...seen, final_ns: 496 });
});

test('with windows only their runs are needed, and the parts are scaled up to the wait', () => {
  const runs = [
    run(0, 1400, 1520, 'priority'),
    run(0, 1900, 1925, 'better_rank'),
    run(0, 1925, 2000, 'idle'),
  ];
  expect(sweep(wait, machine(1), { ...nothing, runs }, { period_ns: 500, window_ns: 100 })).toEqual({
    parts: { ...noParts(), priority: 500, rank: 125, free: 375 },
    cpu_ns: { ...NO_CPU_TIME, priority: 500, better_rank: 125, idle: 375 },
    final_ns: 75,
  });
});
