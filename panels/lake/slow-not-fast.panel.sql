-- @title In slow traces and not in fast ones
-- @description Wake chains that slow traces have more often than fast ones. Slow are those with the most ready time for the length of the
--   recording, fast the half with the least. Traces that lost events are left out. With so many chains some differ by chance alone: z says how
--   far a difference is from that, in standard deviations.
-- @over lake
-- @param process text = none: Image of the process whose ready time makes a trace slow; empty for all.
-- @param slow number % = 25: Which part of the traces is slow.
-- @param at_least_z number = 3: Smaller differences are left out.
-- @param top number = 30: How many chains are shown.
-- @draw bars name=chain value=more
-- @column chain text: Who was woken, by whom, and so on.
-- @column slow_share share: The part of the slow traces that have it.
-- @column fast_share share: The part of the fast traces that have it.
-- @column more share: The difference.
-- @column z number: The difference in standard deviations, were there none.
-- @column n_slow count: Slow traces.
-- @column n count: Slow and fast traces.

WITH
  ready AS (
    SELECT trace_id, sum(ready_ns) AS ready_ns
    FROM ready_wait
    WHERE :process IS NULL OR lower(process) = lower(:process)
    GROUP BY trace_id
  ),
  measured AS (
    SELECT
      t.trace_id,
      percent_rank() OVER (ORDER BY coalesce(r.ready_ns, 0) / CAST(t.dur_ns AS DOUBLE), t.trace_id) AS standing
    FROM trace AS t
    LEFT JOIN ready AS r ON r.trace_id = t.trace_id
    WHERE t.has_ready AND NOT t.is_lossy AND t.dur_ns > 0
  ),
  side AS (
    SELECT trace_id, CASE WHEN standing >= 1 - :slow THEN 1 ELSE 0 END AS is_slow
    FROM measured
    WHERE standing >= 1 - :slow OR standing <= 0.5e0
  ),
  size AS (
    SELECT CAST(sum(is_slow) AS DOUBLE) AS slow, CAST(count(*) - sum(is_slow) AS DOUBLE) AS fast FROM side
  ),
  counted AS (
    SELECT c.chain, sum(s.is_slow) AS in_slow, count(*) - sum(s.is_slow) AS in_fast
    FROM chain AS c
    JOIN side AS s ON s.trace_id = c.trace_id
    GROUP BY c.chain
  ),
  share AS (
    SELECT
      c.chain, c.in_slow / z.slow AS slow_share, c.in_fast / z.fast AS fast_share, z.slow, z.fast,
      (c.in_slow + c.in_fast) / (z.slow + z.fast) AS all_share
    FROM counted AS c
    CROSS JOIN size AS z
    WHERE z.slow > 0 AND z.fast > 0
  ),
  tested AS (
    SELECT
      *,
      CASE
        WHEN all_share < 1 THEN (slow_share - fast_share) / sqrt(all_share * (1 - all_share) * (1 / slow + 1 / fast))
        ELSE 0
      END AS z
    FROM share
  ),
  listed AS (
    SELECT * FROM tested WHERE z >= :at_least_z ORDER BY z DESC, chain LIMIT :top
  ),
  example AS (
    SELECT
      c.chain,
      c.trace_id || '@' || CAST(c.longest_ts AS VARCHAR(20)) || coalesce('@' || CAST(c.longest_tid AS VARCHAR(20)), '') AS spot,
      row_number() OVER (PARTITION BY c.chain ORDER BY c.longest_ns DESC, c.trace_id) AS number
    FROM chain AS c
    JOIN listed AS l ON l.chain = c.chain
    JOIN side AS s ON s.trace_id = c.trace_id AND s.is_slow = 1
  ),
  examples AS (
    SELECT
      chain,
      max(CASE WHEN number = 1 THEN spot END) AS example_1,
      max(CASE WHEN number = 2 THEN spot END) AS example_2,
      max(CASE WHEN number = 3 THEN spot END) AS example_3
    FROM example
    WHERE number <= 3
    GROUP BY chain
  )
SELECT
  l.chain, l.slow_share, l.fast_share, l.slow_share - l.fast_share AS more, l.z, CAST(l.slow AS BIGINT) AS n_slow,
  CAST(l.slow + l.fast AS BIGINT) AS n, e.example_1, e.example_2, e.example_3
FROM listed AS l
JOIN examples AS e ON e.chain = l.chain
ORDER BY l.z DESC, l.chain;
