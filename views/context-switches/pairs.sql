-- Pairs of threads that follow one another on a CPU or wake one another, in the first :window_ns of each of :buckets steps of
-- time. The thread with the lower utid is `a`.
WITH RECURSIVE
  bucket(number, ts) AS (
    SELECT 0, :range_start
    UNION ALL
    SELECT number + 1, ts + :bucket_ns FROM bucket WHERE number + 1 < :buckets
  ),
  chosen(utid) AS (SELECT utid FROM etw_thread WHERE upid IN (SELECT value FROM json_each(:upids))),
  turn AS (
    -- `+` keeps the engine from looking up by thread or CPU, which takes longer than by time; times are unique.
    SELECT o.utid AS from_utid, r.utid AS to_utid, 0 AS is_wake
    FROM bucket AS b
    CROSS JOIN _etw_run AS r
    -- Else the engine takes all runs for each bucket.
    CROSS JOIN _etw_run AS o
    WHERE
      r.ts >= b.ts
      AND r.ts < min(b.ts + :window_ns, :range_end)
      AND o.te = r.ts
      AND +o.cpu = r.cpu
      AND +r.utid != 0
      AND +o.utid != 0
    UNION ALL
    SELECT w.waker_utid, w.utid, 1
    FROM bucket AS b
    CROSS JOIN _etw_ready_wait AS w
    WHERE w.ts >= b.ts AND w.ts < min(b.ts + :window_ns, :range_end) AND w.waker_utid > 0
  )
SELECT
  min(from_utid, to_utid) AS a,
  max(from_utid, to_utid) AS b,
  SUM(NOT is_wake AND from_utid < to_utid) AS switches_there,
  SUM(NOT is_wake AND from_utid > to_utid) AS switches_back,
  SUM(is_wake AND from_utid < to_utid) AS wakes_there,
  SUM(is_wake AND from_utid > to_utid) AS wakes_back,
  COUNT(*) OVER () AS pair_count
FROM turn
WHERE
  from_utid != to_utid
  AND (
    :upids IS NULL
    OR from_utid IN (SELECT utid FROM chosen)
    OR to_utid IN (SELECT utid FROM chosen)
  )
GROUP BY min(from_utid, to_utid) << 24 | max(from_utid, to_utid)
ORDER BY max(SUM(is_wake), SUM(NOT is_wake)) DESC, a, b
LIMIT :max_pairs;
