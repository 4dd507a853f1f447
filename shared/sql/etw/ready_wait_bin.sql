-- Ready waits, counted: how many were how long, by thread, rank, priority and cause.
INCLUDE PERFETTO MODULE etw.ready_wait_length;

INCLUDE PERFETTO MODULE etw.ready_wait_long;

-- How many of a thread's ready waits lie in each hundredth of a decade of duration, by rank, priority and cause: for
-- percentiles over millions of waits, which are at most 2.4 % too high where the longest wait of a bin is taken.
CREATE PERFETTO VIEW etw_ready_wait_bin(
  -- The thread that waited.
  utid LONG,
  -- Its rank during the wait, as in `etw_ready_wait`.
  rank LONG,
  -- Its priority, as in `etw_ready_wait`.
  priority LONG,
  -- `wake` or `preempted`, as in `etw_ready_wait`.
  cause STRING,
  -- The bin: floor(100 log10 of the duration in ns); what is below 100 ns is in bin 200.
  bin LONG,
  -- Number of waits.
  waits LONG,
  -- Their lengths together, in ns.
  sum_ns DURATION,
  -- Length of the longest, in ns.
  max_ns DURATION
) AS
SELECT utid, rank, priority, cause, bin, SUM(waits) AS waits, SUM(sum_ns) AS sum_ns, MAX(max_ns) AS max_ns
FROM (
  SELECT utid, rank, priority, cause, bin, waits, sum_ns, max_ns
  FROM etw_ready_wait_rest
  UNION ALL
  SELECT utid, rank, priority, cause, _etw_ready_wait_bin!(dur), 1, dur, dur
  FROM etw_ready_wait_long
)
GROUP BY utid, rank, priority, cause, bin;
