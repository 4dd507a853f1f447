-- How often and how long each thread waited for the lock and held it within the range.
WITH
  span AS (
    SELECT 1 AS is_wait, utid, ts, ts + dur AS te FROM etw_user_lock_wait WHERE dur > 0
    UNION ALL
    SELECT 0, utid, ts, ts + dur FROM etw_user_lock_hold
  )
SELECT
  utid,
  SUM(is_wait) AS waits, SUM(1 - is_wait) AS holds,
  SUM(is_wait * (min(te, :range_end) - max(ts, :range_start))) AS waited_ns,
  SUM((1 - is_wait) * (min(te, :range_end) - max(ts, :range_start))) AS held_ns
FROM span
WHERE
  ts < :range_end AND te > :range_start
  AND (:utids IS NULL OR utid IN (SELECT value FROM json_each(:utids)))
GROUP BY utid
ORDER BY waited_ns + held_ns DESC, utid;
