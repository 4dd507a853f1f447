import { expect, test } from 'vitest';
import { ratesOf } from './rates.ts';

const exit = (ts: number, dur: number) => ({
  ts,
  dur,
  begun_by: '',
  tid: null,
  last_thread_ts: null,
  wait: null,
});

test('what comes and goes in each step, and the most exits under way at once', () => {
  const processes = [
    { create_ts: 5, exit_ts: 25, exit: exit(12, 13) },
    { create_ts: null, exit_ts: 18, exit: exit(2, 16) },
    { create_ts: 15, exit_ts: null, exit: null },
    { create_ts: 40, exit_ts: 45, exit: exit(44, 1) },
  ];
  expect(ratesOf(processes, { start: 10, end: 40 }, 3)).toEqual([
    { ts: 10, dur: 10, created: 1, ended: 1, exiting: 2 },
    { ts: 20, dur: 10, created: 0, ended: 1, exiting: 1 },
    { ts: 30, dur: 10, created: 0, ended: 0, exiting: 0 },
  ]);
});
