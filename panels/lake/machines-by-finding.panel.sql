-- @title Machines by finding
-- @description Which machines have which finding, by the seconds that it cost their users; and how many of their traces can show it.
-- @over lake
-- @param rule text = none: Id of a rule, such as rank-starvation; empty for all.
-- @param top number = 50: How many rows are shown.
-- @draw bars name=machine value=seconds_lost series=rule
-- @column machine text: The machine's key; without one, what is known of its kind.
-- @column seconds_lost number: Seconds that users lost by it, at most.
-- @column findings count: How often it was found.
-- @column with_finding count: Traces in which it was found.
-- @column n count: Traces of the machine in which the rule was checked.

WITH
  named AS (
    SELECT trace_id, coalesce(substr(machine_key, 1, 12), 'not named: ' || machine_model) AS machine, machine_model
    FROM trace
  ),
  checked AS (
    SELECT r.rule, m.machine, count(*) AS n
    FROM rule AS r
    JOIN named AS m ON m.trace_id = r.trace_id
    WHERE r.state = 'checked' AND (:rule IS NULL OR r.rule = :rule)
    GROUP BY r.rule, m.machine
  ),
  found AS (
    SELECT
      f.rule, m.machine, m.machine_model, f.trace_id, f.seconds_lost, f.ts, f.tid,
      row_number() OVER (PARTITION BY f.rule, m.machine, f.trace_id ORDER BY f.seconds_lost DESC, f.ts) AS in_trace
    FROM finding AS f
    JOIN named AS m ON m.trace_id = f.trace_id
    WHERE :rule IS NULL OR f.rule = :rule
  ),
  lost AS (
    SELECT
      rule, machine, max(machine_model) AS machine_model, sum(seconds_lost) AS seconds_lost, count(*) AS findings,
      count(DISTINCT trace_id) AS with_finding
    FROM found
    GROUP BY rule, machine
  ),
  example AS (
    SELECT
      rule, machine,
      trace_id || '@' || CAST(ts AS VARCHAR(20)) || coalesce('@' || CAST(tid AS VARCHAR(20)), '') AS spot,
      row_number() OVER (PARTITION BY rule, machine ORDER BY seconds_lost DESC, trace_id) AS number
    FROM found
    WHERE in_trace = 1
  ),
  examples AS (
    SELECT
      rule, machine,
      max(CASE WHEN number = 1 THEN spot END) AS example_1,
      max(CASE WHEN number = 2 THEN spot END) AS example_2,
      max(CASE WHEN number = 3 THEN spot END) AS example_3
    FROM example
    WHERE number <= 3
    GROUP BY rule, machine
  )
SELECT
  l.machine, l.machine_model, l.rule, l.seconds_lost, l.findings, l.with_finding, c.n, e.example_1, e.example_2, e.example_3
FROM lost AS l
JOIN checked AS c ON c.rule = l.rule AND c.machine = l.machine
JOIN examples AS e ON e.rule = l.rule AND e.machine = l.machine
ORDER BY l.seconds_lost DESC, l.machine, l.rule
LIMIT :top;
