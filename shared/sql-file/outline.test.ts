import { expect, test } from 'vitest';
import { outlineAnswers } from './outline.ts';

test.each([
  'SELECT * FROM etw_ready_wait ORDER BY dur DESC LIMIT 50',
  'SELECT process_name, tid, dur FROM etw_ready_wait JOIN etw_thread USING (utid)',
  'WITH long AS (SELECT * FROM etw_run WHERE dur > 1e9) SELECT * FROM long JOIN thread USING (utid)',
  'SELECT * FROM etw_generic_event, json_each(fields)',
  'SELECT * FROM etw_focus',
  'SELECT * FROM etw_run, trace_bounds WHERE ts < start_ts + 1e9',
  'EXPLAIN QUERY PLAN SELECT * FROM etw_run',
  'SELECT * FROM etw_context_switch',
  'SELECT * FROM etw_ready_wait_history',
  'SELECT * FROM etw_ready_wait_bin',
  'SELECT * FROM etw_run_counter JOIN etw_counter_source USING (counter)',
  'SELECT * FROM etw_thread_rank JOIN etw_thread_priority USING (utid)',
  'SELECT module, rva FROM etw_sample JOIN etw_stack_frame USING (callsite)',
  'SELECT * FROM etw_cpu_time_between(1, 2)',
  'SELECT callsite FROM etw_event_stack',
  'SELECT module FROM etw_stack(4711)',
  'INCLUDE PERFETTO MODULE etw.sched;\nSELECT * FROM etw_run',
  // It says as soon that there is no such table.
  'SELECT * FROM etw_ready_wiat JOIN etw_thread USING (utid)',
])('an outline answers: %s', (sql) => {
  expect(outlineAnswers(sql)).toBe(true);
});

test.each([
  'SELECT * FROM sched',
  'SELECT * FROM etw_run JOIN thread_state USING (utid)',
  'SELECT extract_arg(1, 2) FROM etw_run',
  'SELECT id FROM stack_profile_callsite',
  'SELECT * FROM perf_sample',
  'SELECT msg FROM android_logs',
  'SELECT * FROM my_table',
  'INCLUDE PERFETTO MODULE slices.flow; SELECT * FROM etw_run',
  'CREATE PERFETTO TABLE x AS SELECT * FROM etw_run',
  'SELECT * FROM etw_run; SELECT 1',
])('an outline does not answer: %s', (sql) => {
  expect(outlineAnswers(sql)).toBe(false);
});
