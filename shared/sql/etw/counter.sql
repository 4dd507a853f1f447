-- Hardware counters (PMC): what they counted while threads ran.
INCLUDE PERFETTO MODULE etw.run;

-- How far counters came in a run, at the switch that ended it.
CREATE PERFETTO TABLE _etw_counted AS
SELECT c.ts, CAST(substr(k.name, 13) AS INT) AS counter, CAST(c.value AS INT) AS counted
FROM track AS k
CROSS JOIN __intrinsic_counter AS c ON c.track_id = k.id
WHERE k.name GLOB 'etw.counter [1-7]'
ORDER BY c.ts;

-- The hardware counters that were recorded with context switches.
CREATE PERFETTO TABLE etw_counter_source(
  -- Its number, from 1: its place in the headers of the events.
  counter LONG,
  -- What it counts, as the session names it, such as `InstructionRetired`; `counter 1` and so on where it does not.
  name STRING
) AS
WITH
  named AS (
    SELECT extract_arg(arg_set_id, 'debug.number') AS counter, extract_arg(arg_set_id, 'debug.name') AS name
    FROM slice
    WHERE name = 'etw.counter'
  )
SELECT c.counter, ifnull(n.name, 'counter ' || c.counter) AS name
FROM (SELECT DISTINCT counter FROM _etw_counted) AS c
LEFT JOIN named AS n USING (counter)
ORDER BY c.counter;

-- What each hardware counter of a CPU counted during each run there, those of the idle thread included. A run has no row where one of
-- its two switches was lost or does not tell, and where the counter was set anew meanwhile.
--
-- Example: instructions for each cycle, by thread:
-- `SELECT utid, SUM(iif(name = 'InstructionRetired', counted, 0)) * 1.0 / SUM(iif(name = 'TotalCycles', counted, 0)) FROM etw_run_counter GROUP BY utid`.
CREATE PERFETTO VIEW etw_run_counter(
  -- Timestamp of the switch-in, as in `etw_run`.
  ts TIMESTAMP,
  -- Timestamp of the switch-out.
  te TIMESTAMP,
  -- The CPU.
  cpu LONG,
  -- The thread; 0 is the idle thread.
  utid LONG,
  -- Its priority at the switch-in.
  priority LONG,
  -- Its rank, as in `etw_run`.
  rank LONG,
  -- Number of the counter, as in `etw_counter_source`.
  counter LONG,
  -- What it counts.
  name STRING,
  -- How much it counted.
  counted LONG
) AS
SELECT r.ts, r.te, r.cpu, r.utid, r.priority, r.rank, c.counter, s.name, c.counted
FROM _etw_counted AS c
CROSS JOIN _etw_run AS r ON r.te = c.ts
JOIN etw_counter_source AS s USING (counter);
