-- What ran between two times, and at an instant. All is asked of `etw_run` alone, so that it answers the same where runs are lent in
-- columns. A range of `ts` has two bounds here: what is lent reads no more than the rows in between.
INCLUDE PERFETTO MODULE etw.run;

-- Runs of 10 ms or more. What runs at an instant is one of these, or began less than 10 ms before. `+` keeps lent rows in
-- their order: rows that are looked up one by one cost twice as much.
CREATE PERFETTO TABLE _etw_long_run AS
SELECT ts, te, cpu, utid, priority, rank
FROM etw_run
WHERE te - ts >= 10000000
ORDER BY +ts;

-- The runs that began before an instant and end after it.
CREATE PERFETTO FUNCTION _etw_running_at(
  -- The instant.
  at_ts TIMESTAMP
)
RETURNS TABLE(
  -- When it ends.
  te TIMESTAMP,
  -- The CPU.
  cpu LONG,
  -- The thread.
  utid LONG,
  -- Its priority.
  priority LONG,
  -- Its rank.
  rank LONG
) AS
SELECT te, cpu, utid, priority, rank
FROM etw_run
WHERE ts > $at_ts - 10000000 AND ts < $at_ts AND te > $at_ts
UNION ALL
SELECT te, cpu, utid, priority, rank
FROM _etw_long_run
WHERE ts <= $at_ts - 10000000 AND te > $at_ts;

-- What ran on each CPU between two times, clipped to them; gaps are times with missing events.
--
-- Example: CPU time by rank and priority while a thread was ready:
-- `SELECT rank, priority, sum(dur) FROM etw_ran_between(30333000000, 49827000000) WHERE utid != 0 GROUP BY 1, 2`.
CREATE PERFETTO FUNCTION etw_ran_between(
  -- Timestamp at which the stretch of time starts.
  start_ts TIMESTAMP,
  -- Timestamp at which it ends.
  end_ts TIMESTAMP
)
RETURNS TABLE(
  -- The CPU.
  cpu LONG,
  -- The thread; 0 is the idle thread.
  utid LONG,
  -- Timestamp at which it ran first within the stretch.
  ts TIMESTAMP,
  -- How long it ran within the stretch, in ns.
  dur DURATION,
  -- Its priority at the switch-in.
  priority LONG,
  -- Its rank, as in `etw_run`.
  rank LONG
) AS
SELECT cpu, utid, ts, min(te, $end_ts) - ts AS dur, priority, rank
FROM etw_run
WHERE ts >= $start_ts AND ts < $end_ts AND te > $start_ts
UNION ALL
SELECT cpu, utid, $start_ts AS ts, min(te, $end_ts) - $start_ts AS dur, priority, rank
FROM _etw_running_at($start_ts)
WHERE $start_ts < $end_ts;

-- CPU time between two times by thread, priority and rank. Exact: a run that reaches over an end counts with the part
-- within, and a group may have two rows, one of them for what already ran at the start. What is missing to the
-- number of CPUs times the length was not recorded.
--
-- Takes time with the number of runs that begin in between, about 0.5 µs each; for long stretches see `etw_cpu_time`.
CREATE PERFETTO FUNCTION etw_cpu_time_between(
  -- Timestamp at which the stretch of time starts.
  start_ts TIMESTAMP,
  -- Timestamp at which it ends.
  end_ts TIMESTAMP
)
RETURNS TABLE(
  -- The thread; 0 is the idle thread.
  utid LONG,
  -- Its priority at the switch-in.
  priority LONG,
  -- Its rank, as in `etw_run`.
  rank LONG,
  -- CPU time in ns.
  ran_ns DURATION,
  -- Context switches to the thread; 0 in the row for what already ran at the start.
  switches LONG
) AS
SELECT utid, priority, rank, SUM(min(te, $end_ts) - ts) AS ran_ns, COUNT(*) AS switches
FROM etw_run
WHERE ts >= $start_ts AND ts < $end_ts
GROUP BY utid, priority, rank
UNION ALL
SELECT utid, priority, rank, min(te, $end_ts) - $start_ts AS ran_ns, 0 AS switches
FROM _etw_running_at($start_ts)
WHERE $start_ts < $end_ts;

-- Context switches between two times by CPU.
CREATE PERFETTO FUNCTION etw_cpu_switches_between(
  -- Timestamp at which the stretch of time starts.
  start_ts TIMESTAMP,
  -- Timestamp at which it ends.
  end_ts TIMESTAMP
)
RETURNS TABLE(
  -- The CPU.
  cpu LONG,
  -- Context switches on it.
  switches LONG,
  -- Those of them to the idle thread.
  to_idle LONG
) AS
SELECT cpu, COUNT(*) AS switches, SUM(utid = 0) AS to_idle
FROM etw_run
WHERE ts >= $start_ts AND ts < $end_ts
GROUP BY cpu;
