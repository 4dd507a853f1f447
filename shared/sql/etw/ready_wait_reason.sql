-- Why ready threads did not run.
INCLUDE PERFETTO MODULE etw.judged_rank;

INCLUDE PERFETTO MODULE etw.ready_wait_reason_code;

-- Each row of `etw_ready_wait` with its main reason, as Ready latency names it. Outrank works all reasons out when SQL first names this
-- table: some seconds for millions of waits. It does so for a whole `.etl`, in a SELECT that asks tables `etw_*` alone.
CREATE PERFETTO VIEW etw_ready_wait_reason(
  -- Timestamp at which the thread became ready.
  ts TIMESTAMP,
  -- Length of the wait in ns; where it was not seen to end, to the trace's end.
  dur DURATION,
  -- Timestamp at which the thread was switched in (`ts + dur`).
  te TIMESTAMP,
  -- 1 if the thread was switched in at `te`; 0 if the wait was not seen to end.
  ended LONG,
  -- `wake` or `preempted`, as in `etw_ready_wait`.
  cause STRING,
  -- The thread that waited.
  utid LONG,
  -- The thread that made it ready; null for `preempted`, and for a wake from a DPC.
  waker_utid LONG,
  -- Priority at the switch-in; for a wait that did not end, at the thread's last switch-out.
  priority LONG,
  -- Rank during the wait, as in `etw_ready_wait`.
  rank LONG,
  -- Where `rank` comes from, as in `etw_ready_wait`.
  rank_source STRING,
  -- The CPU that it then ran on; null if the wait did not end.
  cpu LONG,
  -- Timestamp of its last switch-out before the wait, as in `etw_ready_wait`.
  last_switch_out_ts TIMESTAMP,
  -- Timestamp of the last ready event of the wait, as in `etw_ready_wait`.
  last_ready_ts TIMESTAMP,
  -- What kept the thread from running for the largest part of the wait. `rank`: threads that went first by rank alone. `priority`: threads of
  -- the same or a higher priority, and no worse rank. `affinity`: a CPU was free that the thread may not use. `interrupt`: a DPC or an ISR.
  -- `frozen`: its process was frozen. `asleep`: the machine slept. `swapped_out`: its stack or process had to be read in.
  -- `idle_wake_up`: an idle CPU woke up. `preemption_delay`: a CPU put another thread aside. `not_explained`: none of these, or it was
  -- not recorded. Null in plain Perfetto, which has no model of the scheduler.
  main_reason STRING
) AS
SELECT
  ts,
  dur,
  te,
  ended,
  cause,
  utid,
  waker_utid,
  priority,
  _etw_judged_rank!(w) AS rank,
  _etw_judged_rank_source!(w) AS rank_source,
  cpu,
  last_switch_out_ts,
  last_ready_ts,
  CASE reason_code
    WHEN 0 THEN 'rank'
    WHEN 1 THEN 'priority'
    WHEN 2 THEN 'affinity'
    WHEN 3 THEN 'interrupt'
    WHEN 4 THEN 'frozen'
    WHEN 5 THEN 'asleep'
    WHEN 6 THEN 'swapped_out'
    WHEN 7 THEN 'idle_wake_up'
    WHEN 8 THEN 'preemption_delay'
    WHEN 9 THEN 'not_explained'
  END AS main_reason
FROM _etw_ready_wait_reason_code AS w;
