import { expect, test } from 'vitest';
import { lockScreenTrace } from '../engine/testing/lock-screen.ts';
import { processorWith, rowsOf } from '../engine/testing/start.ts';

test('every ready wait is counted, in the hundredth of a decade in which its length lies', async () => {
  const processor = await processorWith(lockScreenTrace());
  expect(rowsOf(processor, 'SELECT * FROM etw_ready_wait_bin ORDER BY max_ns DESC, utid')).toEqual(
    rowsOf(
      processor,
      `SELECT utid, rank, priority, cause,
         CAST(floor(100 * log10(max(100, dur))) AS INT) AS bin,
         COUNT(*) AS waits, SUM(dur) AS sum_ns, MAX(dur) AS max_ns
       FROM etw_ready_wait
       GROUP BY 1, 2, 3, 4, 5
       ORDER BY max_ns DESC, utid`,
    ),
  );
  expect(rowsOf(processor, 'SELECT SUM(waits) AS waits FROM etw_ready_wait_bin')).toEqual([{ waits: 6 }]);
});
