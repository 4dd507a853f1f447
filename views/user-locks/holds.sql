-- The longest holds.
SELECT ts, dur, utid
FROM etw_user_lock_hold
WHERE ts < :range_end AND ts + dur > :range_start
  AND (:utids IS NULL OR utid IN (SELECT value FROM json_each(:utids)))
ORDER BY dur DESC, ts, utid
LIMIT :limit;
