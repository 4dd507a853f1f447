import { expect, test } from 'vitest';
import type { MeanwhileSpan } from '../../shared/ready-waits/index.ts';
import { laneSpans } from './lane-spans.ts';

const span = (fields: Partial<MeanwhileSpan>): MeanwhileSpan => ({
  cpu: 0,
  ts: 1000,
  dur: 100,
  ran_ns: 100,
  standing: 'better_rank',
  thread: null,
  rank: 0,
  priority: 8,
  ...fields,
});

test('a run fills its lane; short runs share what longer ones leave of their step', () => {
  const spans = [
    span({ ts: 1060, dur: 70, ran_ns: 70, thread: 'dwm.exe (tid 4)', standing: 'priority' }),
    span({ ts: 1000, ran_ns: 45 }),
    span({ ts: 1000, ran_ns: 15, standing: 'behind' }),
    span({ ts: 1100, ran_ns: 35 }),
    span({ ts: 1100, ran_ns: 35, standing: 'idle' }),
    span({ cpu: 1, ts: 1000, ran_ns: 25 }),
  ];
  expect(laneSpans(spans)).toEqual([
    { lane: 0, ts: 1060, dur: 70, series: 1, from: 0, to: 1 },
    { lane: 0, ts: 1000, dur: 100, series: 0, from: 0, to: 0.75 },
    { lane: 0, ts: 1000, dur: 100, series: 2, from: 0.75, to: 1 },
    { lane: 0, ts: 1100, dur: 100, series: 0, from: 0, to: 0.5 },
    { lane: 1, ts: 1000, dur: 100, series: 0, from: 0, to: 0.25 },
  ]);
});
