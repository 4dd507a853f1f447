-- @title Ready waits, build by build
-- @description How long threads were ready and did not run, for each value of a tag: the quantile of all waits together, within the bounds
--   of its class; and the geometric mean of the traces' own quantiles with its 95 % interval, for four traces or more. Traces that lost
--   events are left out.
-- @over lake
-- @param tag text = build: The tag by whose values the traces are grouped.
-- @param process text = none: Image of the process, such as app.exe; empty for all.
-- @param quantile number % = 99: Which quantile.
-- @draw bars name=value value=quantile_below_ns
-- @column value text: The value of the tag.
-- @column waits count: Waits that ended.
-- @column quantile_from_ns duration: The quantile of all waits is this long or longer.
-- @column quantile_below_ns duration: And shorter than this.
-- @column typical_ns duration: Geometric mean of the quantiles of single traces, each the middle of its class.
-- @column low_ns duration: Where the 95 % interval of that mean begins.
-- @column high_ns duration: Where it ends.
-- @column n count: Traces.

WITH
  -- Waits by class of length, for each trace; and the longest of each class.
  summed AS (
    SELECT
      w.trace_id, w.class, min(w.from_ns) AS from_ns, min(w.below_ns) AS below_ns, sum(w.waits) AS waits,
      max(w.longest_ns) AS longest_ns, max_by(w.longest_ts, w.placed_ns) AS longest_ts,
      max_by(w.longest_tid, w.placed_ns) AS longest_tid
    FROM (SELECT *, CASE WHEN longest_ts IS NOT NULL THEN longest_ns END AS placed_ns FROM ready_wait) AS w
    WHERE w.ended AND (:process IS NULL OR lower(w.process) = lower(:process))
    GROUP BY w.trace_id, w.class
  ),
  counted AS (
    SELECT g.value, s.*
    FROM summed AS s
    JOIN tag AS g ON g.trace_id = s.trace_id AND g.name = :tag
    JOIN trace AS t ON t.trace_id = s.trace_id AND NOT t.is_lossy
  ),
  of_trace AS (
    SELECT
      value, trace_id, class, from_ns, below_ns,
      sum(waits) OVER (PARTITION BY trace_id ORDER BY class) AS so_far,
      sum(waits) OVER (PARTITION BY trace_id) AS of_all,
      waits
    FROM counted
  ),
  -- The class that the quantile of a trace lies in; its middle, on a scale of lengths.
  quantile_of_trace AS (
    SELECT value, trace_id, ln(greatest(from_ns, 256)) + 0.17328e0 AS ln_ns
    FROM of_trace
    WHERE so_far >= :quantile * of_all AND so_far - waits < :quantile * of_all
  ),
  -- Numbers with e0 are floating in Trino too; others are decimals there, whose quotients it rounds.
  spread AS (
    SELECT
      value, count(*) AS n, avg(ln_ns) AS middle,
      CASE
        WHEN count(*) >= 4 THEN
          (1.96e0 + 2.372e0 / (count(*) - 1) + 2.82e0 / ((count(*) - 1) * (count(*) - 1)))
          * stddev_samp(ln_ns) / sqrt(count(*))
      END AS half
    FROM quantile_of_trace
    GROUP BY value
  ),
  merged AS (
    SELECT value, class, from_ns, below_ns, sum(waits) AS waits
    FROM counted
    GROUP BY value, class, from_ns, below_ns
  ),
  of_value AS (
    SELECT
      value, from_ns, below_ns, waits,
      sum(waits) OVER (PARTITION BY value ORDER BY class) AS so_far,
      sum(waits) OVER (PARTITION BY value) AS of_all
    FROM merged
  ),
  quantile_of_value AS (
    SELECT value, from_ns, below_ns, of_all
    FROM of_value
    WHERE so_far >= :quantile * of_all AND so_far - waits < :quantile * of_all
  ),
  -- The longest wait of each trace, where its examples are.
  longest AS (
    SELECT
      value, trace_id, max(longest_ns) AS longest_ns, max_by(longest_ts, longest_ns) AS longest_ts,
      max_by(longest_tid, longest_ns) AS longest_tid
    FROM counted
    GROUP BY value, trace_id
  ),
  example AS (
    SELECT
      value,
      trace_id || '@' || CAST(longest_ts AS VARCHAR(20)) || coalesce('@' || CAST(longest_tid AS VARCHAR(20)), '') AS spot,
      row_number() OVER (PARTITION BY value ORDER BY longest_ns DESC, trace_id) AS number
    FROM longest
  ),
  examples AS (
    SELECT
      value,
      max(CASE WHEN number = 1 THEN spot END) AS example_1,
      max(CASE WHEN number = 2 THEN spot END) AS example_2,
      max(CASE WHEN number = 3 THEN spot END) AS example_3
    FROM example
    WHERE number <= 3
    GROUP BY value
  )
SELECT
  q.value,
  q.of_all AS waits,
  q.from_ns AS quantile_from_ns,
  q.below_ns AS quantile_below_ns,
  exp(s.middle) AS typical_ns,
  exp(s.middle - s.half) AS low_ns,
  exp(s.middle + s.half) AS high_ns,
  s.n,
  e.example_1,
  e.example_2,
  e.example_3
FROM quantile_of_value AS q
JOIN spread AS s ON s.value = q.value
JOIN examples AS e ON e.value = q.value
-- Numbers as numbers: 9 comes before 10.
ORDER BY try_cast(q.value AS DOUBLE) NULLS LAST, q.value;
