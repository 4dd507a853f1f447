-- @title Traces like this one
-- @description Which traces have the same wake chains as a chosen one: the part of the signatures of both that they share.
-- @over lake
-- @param trace text = none: The beginning of the chosen trace's id.
-- @param top number = 20: How many traces are shown.
-- @draw bars name=name value=overlap
-- @column name text: Name of the trace.
-- @column overlap share: Signatures that both have / signatures that either has.
-- @column shared count: Signatures that both have.
-- @column n count: Traces that were compared.

WITH
  chosen AS (
    SELECT DISTINCT chain FROM chain WHERE position(:trace IN trace_id) = 1
  ),
  size AS (
    SELECT count(*) AS chains FROM chosen
  ),
  other AS (
    SELECT trace_id, count(*) AS chains
    FROM chain
    WHERE position(:trace IN trace_id) <> 1
    GROUP BY trace_id
  ),
  common AS (
    SELECT c.trace_id, count(*) AS shared
    FROM chain AS c
    JOIN chosen AS s ON s.chain = c.chain
    GROUP BY c.trace_id
  ),
  listed AS (
    SELECT
      o.trace_id, coalesce(c.shared, 0) AS shared,
      coalesce(c.shared, 0) / CAST(o.chains + s.chains - coalesce(c.shared, 0) AS DOUBLE) AS overlap,
      count(*) OVER () AS n
    FROM other AS o
    CROSS JOIN size AS s
    LEFT JOIN common AS c ON c.trace_id = o.trace_id
    WHERE s.chains > 0
    ORDER BY overlap DESC, o.trace_id
    LIMIT :top
  ),
  place AS (
    SELECT
      c.trace_id, c.longest_ts, c.longest_tid,
      row_number() OVER (PARTITION BY c.trace_id ORDER BY c.ready_ns DESC, c.chain) AS number
    FROM chain AS c
    JOIN chosen AS s ON s.chain = c.chain
    JOIN listed AS l ON l.trace_id = c.trace_id
  ),
  examples AS (
    SELECT
      trace_id,
      max(CASE WHEN number = 1 THEN trace_id || '@' || CAST(longest_ts AS VARCHAR(20)) || coalesce('@' || CAST(longest_tid AS VARCHAR(20)), '') END) AS example_1,
      max(CASE WHEN number = 2 THEN trace_id || '@' || CAST(longest_ts AS VARCHAR(20)) || coalesce('@' || CAST(longest_tid AS VARCHAR(20)), '') END) AS example_2,
      max(CASE WHEN number = 3 THEN trace_id || '@' || CAST(longest_ts AS VARCHAR(20)) || coalesce('@' || CAST(longest_tid AS VARCHAR(20)), '') END) AS example_3
    FROM place
    WHERE number <= 3
    GROUP BY trace_id
  )
SELECT t.name, l.overlap, l.shared, l.n, e.example_1, e.example_2, e.example_3
FROM listed AS l
JOIN trace AS t ON t.trace_id = l.trace_id
LEFT JOIN examples AS e ON e.trace_id = l.trace_id
ORDER BY l.overlap DESC, l.trace_id;
