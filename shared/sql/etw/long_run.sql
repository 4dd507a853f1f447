-- What ran at an instant.
INCLUDE PERFETTO MODULE etw.run;

-- Runs of 10 ms or more. What runs at an instant is one of these, or began less than 10 ms before.
CREATE PERFETTO TABLE _etw_long_run AS
SELECT ts, te, cpu, utid, priority, rank
FROM _etw_run
WHERE te - ts >= 10000000
ORDER BY ts;

-- The runs that began before an instant and end after it.
CREATE PERFETTO FUNCTION _etw_running_at(
  -- The instant.
  at_ts TIMESTAMP
)
RETURNS TABLE(
  -- When it ends.
  te TIMESTAMP,
  -- The thread.
  utid LONG,
  -- Its priority.
  priority LONG,
  -- Its rank.
  rank LONG
) AS
SELECT te, utid, priority, rank
FROM _etw_run
WHERE ts > $at_ts - 10000000 AND ts < $at_ts AND te > $at_ts
UNION ALL
SELECT te, utid, priority, rank
FROM _etw_long_run
WHERE ts <= $at_ts - 10000000 AND te > $at_ts;
