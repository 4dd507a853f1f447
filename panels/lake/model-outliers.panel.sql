-- @title Outliers of a machine model
-- @description Traces in which threads were ready for longer than is usual on machines of the same model: how many median absolute
--   deviations above the median of their model. Traces that lost events are left out, and models with fewer than five traces.
-- @over lake
-- @param model text = none: Part of the model, such as 8 CPUs; empty for all.
-- @param process text = none: Image of the process whose ready time counts; empty for all.
-- @param at_least number = 3.5: From how many deviations on a trace is an outlier.
-- @param top number = 50: How many rows are shown.
-- @draw bars name=name value=deviations series=machine_model
-- @column name text: Name of the trace.
-- @column ready_share number: Ready time / length of the recording: how many threads waited at once, on average.
-- @column median_share number: The median of the model.
-- @column deviations number: How far above the median, in median absolute deviations (scaled to standard deviations).
-- @column n count: Traces of the model.

WITH
  ready AS (
    SELECT trace_id, sum(ready_ns) AS ready_ns
    FROM ready_wait
    WHERE :process IS NULL OR lower(process) = lower(:process)
    GROUP BY trace_id
  ),
  share AS (
    SELECT
      t.trace_id, t.name, t.machine_model, t.machine_key,
      coalesce(r.ready_ns, 0) / CAST(t.dur_ns AS DOUBLE) AS ready_share
    FROM trace AS t
    LEFT JOIN ready AS r ON r.trace_id = t.trace_id
    WHERE t.has_ready AND NOT t.is_lossy AND t.dur_ns > 0 AND (:model IS NULL OR position(:model IN t.machine_model) > 0)
  ),
  -- A median is the mean of the one or two in the middle: Trino has no function for it.
  placed AS (
    SELECT
      machine_model, ready_share,
      row_number() OVER (PARTITION BY machine_model ORDER BY ready_share) AS place,
      count(*) OVER (PARTITION BY machine_model) AS n
    FROM share
  ),
  middle AS (
    SELECT machine_model, max(n) AS n, avg(ready_share) AS median_share
    FROM placed
    WHERE 2 * place BETWEEN n AND n + 2
    GROUP BY machine_model
  ),
  off AS (
    SELECT s.machine_model, abs(s.ready_share - m.median_share) AS distance
    FROM share AS s
    JOIN middle AS m ON m.machine_model = s.machine_model
  ),
  placed_off AS (
    SELECT
      machine_model, distance,
      row_number() OVER (PARTITION BY machine_model ORDER BY distance) AS place,
      count(*) OVER (PARTITION BY machine_model) AS n
    FROM off
  ),
  spread AS (
    SELECT machine_model, 1.4826e0 * avg(distance) AS deviation
    FROM placed_off
    WHERE 2 * place BETWEEN n AND n + 2
    GROUP BY machine_model
  ),
  far AS (
    SELECT
      s.machine_model, s.machine_key, s.trace_id, s.name, s.ready_share, m.median_share, m.n,
      (s.ready_share - m.median_share) / d.deviation AS deviations
    FROM share AS s
    JOIN middle AS m ON m.machine_model = s.machine_model AND m.n >= 5
    JOIN spread AS d ON d.machine_model = s.machine_model AND d.deviation > 0
  ),
  listed AS (
    SELECT * FROM far WHERE deviations >= :at_least ORDER BY deviations DESC, trace_id LIMIT :top
  ),
  wait AS (
    SELECT
      w.trace_id, w.longest_ts, w.longest_tid,
      row_number() OVER (PARTITION BY w.trace_id ORDER BY w.longest_ns DESC, w.longest_ts) AS number
    FROM ready_wait AS w
    JOIN listed AS l ON l.trace_id = w.trace_id
    WHERE w.longest_ts IS NOT NULL AND (:process IS NULL OR lower(w.process) = lower(:process))
  ),
  examples AS (
    SELECT
      trace_id,
      max(CASE WHEN number = 1 THEN trace_id || '@' || CAST(longest_ts AS VARCHAR(20)) || coalesce('@' || CAST(longest_tid AS VARCHAR(20)), '') END) AS example_1,
      max(CASE WHEN number = 2 THEN trace_id || '@' || CAST(longest_ts AS VARCHAR(20)) || coalesce('@' || CAST(longest_tid AS VARCHAR(20)), '') END) AS example_2,
      max(CASE WHEN number = 3 THEN trace_id || '@' || CAST(longest_ts AS VARCHAR(20)) || coalesce('@' || CAST(longest_tid AS VARCHAR(20)), '') END) AS example_3
    FROM wait
    WHERE number <= 3
    GROUP BY trace_id
  )
SELECT
  l.name, l.machine_model, substr(l.machine_key, 1, 12) AS machine, l.ready_share, l.median_share, l.deviations, l.n,
  e.example_1, e.example_2, e.example_3
FROM listed AS l
LEFT JOIN examples AS e ON e.trace_id = l.trace_id
ORDER BY l.deviations DESC, l.name;
