import { beforeAll, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';

const MS = 1_000_000;
const START = 1_000_000_000;
const END = START + 100 * MS;

/** 100 ms of two CPUs: CPU 0 changes every millisecond, CPU 1 has one run of 60 ms and a gap after it. */
function twoCpus(): Uint8Array {
  const trace = new TraceWriter()
    .start(START, 0)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: END })
    .process(START, 'app.exe', '', { pid: 4 })
    .thread(START, null, { tid: 8, pid: 4 })
    .thread(START, null, { tid: 9, pid: 4 })
    .contextSwitch(START + 1, 1, [0, 2, 0], [9, 12, { rank: 2, state: 5 }]);
  for (let ms = 0; ms < 99; ms++) {
    const even = ms % 2 === 0;
    if (ms === 60) trace.contextSwitch(START + ms * MS + 5, 1, [9, 5, 6], [0, 0]);
    trace.contextSwitch(
      START + ms * MS + 10,
      0,
      [even ? 0 : 8, 5, 6],
      even ? [8, 10, { rank: 0, state: 5 }] : [0, 0],
    );
  }
  return trace.fact(END, 'etw.end').finish();
}

let processor: TraceProcessor;
beforeAll(async () => (processor = await processorWith(twoCpus())));

const ranBetween = (start: number, end: number) =>
  rowsOf(
    processor,
    `SELECT ifnull(tid, 0) AS tid, priority, rank, SUM(ran_ns) AS ran_ns
     FROM etw_cpu_time_between(${start}, ${end}) LEFT JOIN etw_thread USING (utid)
     GROUP BY 1, 2, 3 ORDER BY 1`,
  );

test('a run counts with the part of it that lies between the two times', () => {
  expect(ranBetween(START + 20 * MS, START + 22 * MS)).toEqual([
    { tid: 0, priority: 0, rank: null, ran_ns: MS },
    { tid: 8, priority: 10, rank: 0, ran_ns: MS },
    { tid: 9, priority: 12, rank: 2, ran_ns: 2 * MS },
  ]);
  expect(ranBetween(START + 20 * MS + 100, START + 20 * MS + 103)).toEqual([
    { tid: 8, priority: 10, rank: 0, ran_ns: 3 },
    { tid: 9, priority: 12, rank: 2, ran_ns: 3 },
  ]);
  expect(ranBetween(START, START)).toEqual([]);
});

test('every step of etw_cpu_time holds what an overlap with all runs gives, short and long ones', () => {
  expect(
    rowsOf(
      processor,
      `WITH
         step AS (SELECT DISTINCT ts, dur FROM etw_cpu_time),
         slow AS (
           SELECT s.ts, SUM(min(r.te, s.ts + s.dur) - max(r.ts, s.ts)) AS ran_ns
           FROM step AS s JOIN etw_run AS r ON r.ts < s.ts + s.dur AND r.te > s.ts
           GROUP BY 1
         ),
         fast AS (SELECT ts, SUM(ran_ns) AS ran_ns FROM etw_cpu_time GROUP BY 1)
       SELECT
         COUNT(*) AS steps,
         SUM(slow.ran_ns = fast.ran_ns) AS equal_steps,
         SUM(fast.ran_ns) - (SELECT SUM(dur) FROM etw_run) AS more_than_all_runs_ns
       FROM slow JOIN fast USING (ts)`,
    ),
  ).toEqual([{ steps: 512, equal_steps: 512, more_than_all_runs_ns: 0 }]);
});

test('every context switch is counted once by thread and once by CPU', () => {
  expect(
    rowsOf(
      processor,
      `SELECT ifnull(tid, 0) AS tid, SUM(switches) AS switches
       FROM etw_cpu_time LEFT JOIN etw_thread USING (utid) GROUP BY 1 ORDER BY 1`,
    ),
  ).toEqual([
    { tid: 0, switches: 50 },
    { tid: 8, switches: 50 },
    { tid: 9, switches: 1 },
  ]);
  expect(
    rowsOf(
      processor,
      'SELECT cpu, SUM(switches) AS switches, SUM(to_idle) AS to_idle FROM etw_cpu_switches GROUP BY 1',
    ),
  ).toEqual([
    { cpu: 0, switches: 99, to_idle: 49 },
    { cpu: 1, switches: 2, to_idle: 1 },
  ]);
});
