-- Context switches to the threads of a JSON array, by thread and bucket.
WITH chosen(utid) AS (SELECT value FROM json_each(:utids))
SELECT :origin_ns + (key >> 38) * :step_ns AS ts, key >> 14 & 0xFFFFFF AS utid, SUM(switches) AS switches
FROM _etw_cpu_sum
WHERE
  key >= (:first_step << 38)
  AND key < (:after_step << 38)
  AND (key >> 14 & 0xFFFFFF) IN (SELECT utid FROM chosen)
GROUP BY 1, 2
UNION ALL
SELECT :range_start + (ts - :range_start) / :bucket_ns * :bucket_ns AS ts, utid, COUNT(*) AS switches
FROM _etw_run
WHERE ts >= :range_start AND ts < :steps_start AND +utid IN (SELECT utid FROM chosen)
GROUP BY 1, 2
UNION ALL
SELECT :steps_end AS ts, utid, COUNT(*) AS switches
FROM _etw_run
WHERE ts >= :steps_end AND ts < :range_end AND +utid IN (SELECT utid FROM chosen)
GROUP BY 1, 2;
