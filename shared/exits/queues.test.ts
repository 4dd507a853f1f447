import { expect, test } from 'vitest';
import { queuesIn } from './queues.ts';

test('exits are of one queue while one waits or ends as the next one waits', () => {
  const spans = [
    { ts: 50, te: 60 },
    { ts: 10, te: 40 },
    { ts: 0, te: 20 },
    { ts: 40, te: 45 },
  ];
  const queues = queuesIn(spans, (span) => span);
  expect(queues.map((queue) => queue.map(({ ts }) => ts))).toEqual([[0, 10, 40], [50]]);
});
