import { beforeAll, expect, test } from 'vitest';
import type { TraceProcessor } from '../engine/processor.ts';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { RANK_NOT_RECORDED, unpackCpuSumKeys } from './index.ts';

const START = 1_000_000_000;
const WAITING = 5;

/** Two threads on one CPU for 512 steps of 1 ms: the first of rank 7 and priority 31, the second without a recorded rank. */
function trace(): Uint8Array {
  const end = START + 512e6;
  return new TraceWriter()
    .start(START, 0)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: end })
    .process(START, 'a.exe', '', { pid: 16 })
    .thread(START, null, { tid: 20, pid: 16 })
    .thread(START, null, { tid: 24, pid: 16 })
    .contextSwitch(START + 500_000, 0, [0, 2, 0], [20, 31, { rank: 7, outPriority: 31, state: WAITING }])
    .contextSwitch(
      START + 511_200_000,
      0,
      [20, WAITING, 6],
      [24, 0, { rank: RANK_NOT_RECORDED, state: WAITING }],
    )
    .contextSwitch(START + 511_700_000, 0, [24, WAITING, 6], [0, 0])
    .fact(end, 'etw.end')
    .finish();
}

let processor: TraceProcessor;
beforeAll(async () => (processor = await processorWith(trace())));

test('the keys of _etw_cpu_sum have the parts that etw_cpu_time shows', () => {
  const rows = rowsOf(
    processor,
    `SELECT s.key, c.utid, c.rank, c.priority, (c.ts - ${START}) / c.dur AS step
     FROM _etw_cpu_sum AS s JOIN etw_cpu_time AS c ON c.ts = s.ts AND c.utid = s.key >> 14 & 0xFFFFFF
     ORDER BY s.key`,
  );
  const { step, utid, rank, priority } = unpackCpuSumKeys(Float64Array.from(rows, ({ key }) => Number(key)));
  expect(rows.length).toBeGreaterThan(512);
  expect(
    rows.map((_, row) => ({
      step: step[row],
      utid: utid[row],
      rank: rank[row] === RANK_NOT_RECORDED ? null : rank[row],
      priority: priority[row],
    })),
  ).toEqual(rows.map(({ step, utid, rank, priority }) => ({ step, utid, rank, priority })));
});
