-- Hardware counters (PMC): what they counted while threads ran.
INCLUDE PERFETTO MODULE etw.counter;

-- What each hardware counter of a CPU counted during each run there, those of the idle thread included. A run has no row where one of
-- its two switches was lost or does not tell, and where the counter was set anew meanwhile.
--
-- Example: instructions for each cycle, by thread:
-- `SELECT utid, SUM(iif(name = 'InstructionRetired', counted, 0)) * 1.0 / SUM(iif(name = 'TotalCycles', counted, 0)) FROM etw_run_counter GROUP BY utid`.
CREATE PERFETTO VIEW etw_run_counter(
  -- Timestamp of the switch-in, as in `etw_run`.
  ts TIMESTAMP,
  -- Length of the run in ns.
  dur DURATION,
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
SELECT
  c.ts,
  c.dur,
  c.te,
  c.cpu,
  c.utid,
  c.priority,
  c.rank,
  c.counter,
  (SELECT s.name FROM etw_counter_source AS s WHERE s.counter = c.counter) AS name,
  c.counted
FROM _etw_run_counter AS c;
