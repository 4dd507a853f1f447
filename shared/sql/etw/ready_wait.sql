-- Who was ready to run and did not, and for how long.
INCLUDE PERFETTO MODULE etw.ready_wait_recorded;

INCLUDE PERFETTO MODULE etw.ready_wait_rank;

INCLUDE PERFETTO MODULE etw.run;

CREATE PERFETTO VIEW _etw_ready_wait AS
SELECT
  ts,
  dur,
  te,
  utid,
  waker_utid,
  priority,
  iif(
    rank_before != rank_after,
    ifnull((SELECT j.rank FROM etw_ready_wait_rank AS j WHERE j.ts = w.ts), rank_before),
    ifnull(rank_before, rank_after)
  ) AS rank,
  CASE
    WHEN rank_before = rank_after THEN 'recorded'
    WHEN rank_before != rank_after
    THEN iif(EXISTS (SELECT 1 FROM etw_ready_wait_rank AS j WHERE j.ts = w.ts), 'judged', 'before')
    WHEN rank_before IS NOT NULL THEN 'before'
    WHEN rank_after IS NOT NULL THEN 'after'
  END AS rank_source,
  rank_before,
  rank_after,
  cpu,
  flags
FROM _etw_ready_wait_recorded AS w;

-- Waits of threads that could have run and did not.
CREATE PERFETTO VIEW etw_ready_wait(
  -- Timestamp at which the thread became ready: of the first ready event (`wake`), or of the switch-out (`preempted`).
  ts TIMESTAMP,
  -- Length of the wait in ns; where it was not seen to end, to the trace's end.
  dur DURATION,
  -- Timestamp at which the thread was switched in (`ts + dur`).
  te TIMESTAMP,
  -- 1 if the thread was switched in at `te`; 0 if the wait was not seen to end.
  ended LONG,
  -- `wake`: a ready event ended a wait for something else. `preempted`: it was ready when it was switched out.
  cause STRING,
  -- The thread that waited.
  utid LONG,
  -- The thread that made it ready; null for `preempted`, and for a wake from a DPC, which belongs to no thread.
  waker_utid LONG,
  -- 1 for a wake from a DPC, 0 for one from a thread; null for `preempted`.
  waker_in_dpc LONG,
  -- Priority at the switch-in; for a wait that did not end, at the thread's last switch-out.
  priority LONG,
  -- Rank during the wait. Windows records a rank only where a thread is switched out: see `rank_source`.
  rank LONG,
  -- Where `rank` comes from. `recorded`: `rank_before` and `rank_after` are equal. `judged`: they differ, and `rank` is the
  -- one that fits what ran meanwhile (`etw_ready_wait_rank`). `before`, `after`: that one alone is known; `before` also where
  -- they differ and what ran was not looked at. Null where no rank was recorded.
  rank_source STRING,
  -- Rank at the thread's last switch-out before the wait; null where that was not recorded.
  rank_before LONG,
  -- Rank at the end of the run after the wait; null where that was not recorded. The rank may have changed in that run.
  rank_after LONG,
  -- The CPU that it then ran on; null if the wait did not end.
  cpu LONG,
  -- Flags of the ready event, as in `etw_run`; null for `preempted`.
  flags LONG,
  -- Timestamp of its last switch-out before the wait; null if that was before the recording.
  last_switch_out_ts TIMESTAMP,
  -- Timestamp of the last ready event of the wait, if it had several: only from then on could the thread run. Windows
  -- makes a thread ready again once its stack or its process is back in memory. Null if there was one at most.
  last_ready_ts TIMESTAMP
) AS
SELECT
  ts,
  dur,
  te,
  cpu IS NOT NULL AS ended,
  iif(waker_utid IS NULL, 'preempted', 'wake') AS cause,
  utid,
  nullif(waker_utid, 0) AS waker_utid,
  iif(waker_utid IS NULL, NULL, flags & 1) AS waker_in_dpc,
  priority,
  rank,
  rank_source,
  rank_before,
  rank_after,
  cpu,
  iif(waker_utid IS NULL, NULL, flags) AS flags,
  iif(
    waker_utid IS NULL,
    ts,
    (SELECT b.te - b.dur FROM _etw_blocked AS b WHERE b.te = w.ts AND +b.utid = w.utid)
  ) AS last_switch_out_ts,
  -- Few threads have any: a look at these costs less than a look-up for each wait.
  iif(
    utid IN (SELECT n.utid FROM _etw_ready_repeat AS n),
    (
      SELECT max(n.ts)
      FROM _etw_ready_repeat AS n
      WHERE n.utid = w.utid AND n.ts > w.ts AND n.ts < w.te
    ),
    NULL
  ) AS last_ready_ts
FROM _etw_ready_wait AS w;
