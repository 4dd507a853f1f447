-- The waiting that ended in each millisecond of the range in view.
SELECT
  w.te / 1000000 * 1000000 AS ts, COUNT(*) AS waits, COUNT(DISTINCT w.utid) AS threads,
  SUM(w.te - ifnull(w.last_switch_out_ts, w.ts)) AS waited_ns
FROM etw_ready_wait AS w
WHERE w.ts < :range_end AND w.te > :range_start AND w.ended
GROUP BY 1
ORDER BY waited_ns DESC
LIMIT 200;
