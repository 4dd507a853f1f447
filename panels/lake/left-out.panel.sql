-- @title What must be left out
-- @description Traces that cannot be compared with the others, and why: events were lost, or were not recorded at all.
-- @over lake
-- @draw bars name=reason value=traces
-- @column reason text: What is missing.
-- @column traces count: Traces that lack it.
-- @column events count: Events or buffers that were lost, where the number is known.
-- @column n count: All traces.

WITH
  missing AS (
    SELECT 'lost: ' || kind AS reason, trace_id, events, first_ts AS ts FROM loss
    UNION ALL
    SELECT 'not recorded: ' || signal, trace_id, NULL, NULL FROM recorded WHERE NOT is_recorded
  ),
  counted AS (
    SELECT reason, count(DISTINCT trace_id) AS traces, sum(events) AS events FROM missing GROUP BY reason
  ),
  example AS (
    SELECT
      reason,
      trace_id || coalesce('@' || CAST(ts AS VARCHAR(20)), '') AS spot,
      row_number() OVER (PARTITION BY reason ORDER BY coalesce(events, 0) DESC, trace_id) AS number
    FROM missing
  ),
  examples AS (
    SELECT
      reason,
      max(CASE WHEN number = 1 THEN spot END) AS example_1,
      max(CASE WHEN number = 2 THEN spot END) AS example_2,
      max(CASE WHEN number = 3 THEN spot END) AS example_3
    FROM example
    WHERE number <= 3
    GROUP BY reason
  )
SELECT c.reason, c.traces, c.events, (SELECT count(*) FROM trace) AS n, e.example_1, e.example_2, e.example_3
FROM counted AS c
JOIN examples AS e ON e.reason = c.reason
ORDER BY CASE WHEN c.reason LIKE 'lost%' THEN 0 ELSE 1 END, c.traces DESC, c.reason;
