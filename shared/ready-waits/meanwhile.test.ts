import { describe, expect, test } from 'vitest';
import { NO_CPU_TIME } from './sweep.ts';
import { describeMeanwhile, type NamedRanSum } from './meanwhile.ts';
import type { ReadyWait } from './ready-wait.ts';
import type { Verdict } from './verdict.ts';

const wait: ReadyWait = {
  ts: 31_333_000_000,
  dur: 19_493_000_000,
  ended: true,
  cause: 'wake',
  tid: 5128,
  thread: null,
  pid: 77,
  process: 'LockApp.exe',
  service: null,
  cpu: 3,
  rank: 2,
  recorded_ranks: null,
  priority: 14,
  base_priority: 13,
  why_late: 'rank',
  waited_ns: 18_700_000_000,
  waited_since_start: false,
  wait_reason: 'WrQueue',
  readied_by: 'System (tid 8)',
  boost: '+1',
};

const verdict: Verdict = {
  main: 'rank',
  shares: [{ why: 'rank', ns: 19_493_000_000 }],
  cpu_ns: NO_CPU_TIME,
  usable_cpus: null,
  one_in: 1,
  sentence: 'Rank is why.',
};

const sum = (fields: Partial<NamedRanSum>): NamedRanSum => ({
  utid: 1,
  tid: 100,
  thread: null,
  pid: 10,
  process: 'MsMpEng.exe',
  service: null,
  rank: 0,
  priority: 8,
  standing: 'better_rank',
  ran_ns: 1e9,
  runs: 1,
  ...fields,
});

test('rank is named as the reason, with what ran by rank alone', () => {
  const sums = [
    sum({ priority: 4, ran_ns: 100_000_000_000, runs: 3 }),
    sum({ priority: 10, ran_ns: 48_200_000_000, runs: 2 }),
    sum({ utid: 2, tid: 200, process: 'dwm.exe', priority: 15, standing: 'priority', ran_ns: 7_700_000_000 }),
  ];
  expect(describeMeanwhile(wait, 8, sums, [], verdict)).toEqual({
    wait,
    cpu_count: 8,
    by_standing: {
      better_rank: 148_200_000_000,
      priority: 7_700_000_000,
      behind: 0,
      unknown: 0,
      idle: 0,
    },
    by_rank_and_priority: [
      { rank: 0, priority: 15, standing: 'priority', ran_ns: 7_700_000_000 },
      { rank: 0, priority: 10, standing: 'better_rank', ran_ns: 48_200_000_000 },
      { rank: 0, priority: 4, standing: 'better_rank', ran_ns: 100_000_000_000 },
    ],
    by_thread: [
      {
        process: 'MsMpEng.exe',
        service: null,
        pid: 10,
        thread: null,
        tid: 100,
        ran_ns: 148_200_000_000,
        runs: 5,
        by_standing: { better_rank: 148_200_000_000, priority: 0, behind: 0, unknown: 0, idle: 0 },
      },
      {
        process: 'dwm.exe',
        service: null,
        pid: 10,
        thread: null,
        tid: 200,
        ran_ns: 7_700_000_000,
        runs: 1,
        by_standing: { better_rank: 0, priority: 7_700_000_000, behind: 0, unknown: 0, idle: 0 },
      },
    ],
    spans: [],
    verdict,
    sentences: [
      'LockApp.exe (tid 5128) was ready for 19.493 s, at priority 14, rank 2.',
      'Rank is why.',
      'Meanwhile the 8 CPUs ran rank 0 threads for 155.9 s of CPU time, 148.2 s of it at priority 4 to 10, below 14: those went first by rank alone.',
    ],
  });
});

test('what stood behind it is said, and so is idle time', () => {
  const open: ReadyWait = { ...wait, ended: false, dur: 1e9, rank: 0, priority: 8 };
  const sums = [
    sum({ priority: 9, standing: 'priority', ran_ns: 2e8 }),
    sum({ priority: 4, standing: 'behind', ran_ns: 3e8 }),
    sum({ priority: 4, rank: null, standing: 'unknown', ran_ns: 1e8 }),
    sum({ utid: 0, tid: null, process: null, rank: null, priority: 0, standing: 'idle', ran_ns: 4e8 }),
  ];
  const cpu_ns = { ...NO_CPU_TIME, idle: 4e8, interrupt: 5e7 };
  expect(describeMeanwhile(open, 1, sums, [], { ...verdict, cpu_ns }).sentences).toEqual([
    'LockApp.exe (tid 5128) was ready for 1.000 s and had not run when the trace ended, at priority 8, rank 0.',
    'Rank is why.',
    'Meanwhile the one CPU ran threads that priority put first for 0.2 s of CPU time.',
    'Threads of lower priority, ranks not recorded, ran for 0.1 s.',
    'Threads that had to yield to it ran for 0.3 s.',
    'DPCs and interrupts took 50.0 ms of CPU time.',
    'CPUs were idle for 0.4 s of the 1.0 s there were.',
  ]);
});

describe('where the rank of a wait comes from', () => {
  const second = (recorded_ranks: ReadyWait['recorded_ranks']) =>
    describeMeanwhile({ ...wait, recorded_ranks }, 8, [sum({})], [], verdict).sentences[1];

  test('goes without saying where it was recorded before and after', () => {
    expect(second(null)).toBe('Rank is why.');
  });

  test('is told with what speaks for each of two ranks', () => {
    const explained_ns = { before: 19_493_000_000, after: 0 };
    expect(second({ before: 2, after: 0, explained_ns })).toBe(
      'Rank 2 was recorded before the wait, rank 0 at the end of the run after it. What ran meanwhile explains 19.493 s at rank 2, and none of the wait at rank 0: it is taken to have waited at rank 2.',
    );
  });

  test('is told where what ran meanwhile was not looked at', () => {
    expect(second({ before: 2, after: 0, explained_ns: null })).toBe(
      'Rank 2 was recorded before the wait, rank 0 at the end of the run after it. What ran meanwhile was not looked at.',
    );
  });

  test('is told where one of them was not recorded', () => {
    expect(second({ before: null, after: 2, explained_ns: null })).toBe(
      'That rank was recorded after the wait; none was before it.',
    );
    expect(second({ before: 2, after: null, explained_ns: null })).toBe(
      'That rank was recorded before the wait; none was after it.',
    );
  });
});
