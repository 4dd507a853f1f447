-- The one wait that the user chose, whatever the filters.
CREATE OR REPLACE PERFETTO TABLE _picked_ready_wait AS
SELECT
  ts, dur, te, ended, cause, utid, waker_utid, waker_in_dpc, priority,
  rank, rank_source, rank_before, rank_after, cpu, flags
FROM etw_ready_wait
WHERE ts = :wait_ts AND utid IN (SELECT utid FROM thread WHERE tid = :wait_tid);
