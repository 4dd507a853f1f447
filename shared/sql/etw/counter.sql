-- Which hardware counters (PMC) were recorded with context switches.
INCLUDE PERFETTO MODULE etw.run;

-- How far counters came in a run, at the switch that ended it.
CREATE PERFETTO TABLE _etw_counted AS
SELECT c.ts, CAST(substr(k.name, 13) AS INT) AS counter, CAST(c.value AS INT) AS counted
FROM track AS k
CROSS JOIN __intrinsic_counter AS c ON c.track_id = k.id
WHERE k.name GLOB 'etw.counter [1-7]'
ORDER BY c.ts;

-- What they counted in each run, without their names. A trace's outline has it in columns.
CREATE PERFETTO VIEW _etw_run_counter AS
SELECT r.ts, r.te - r.ts AS dur, r.te, r.cpu, r.utid, r.priority, r.rank, c.counter, c.counted
FROM _etw_counted AS c
CROSS JOIN _etw_run AS r ON r.te = c.ts;

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
