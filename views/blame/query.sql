-- For whom others were blocked: the thread that ended each block of the range in view.
SELECT
  k.process_name AS process, k.tid, k.name AS thread, COUNT(*) AS waits,
  SUM(w.ts - w.last_switch_out_ts) AS blocked_ns
FROM etw_ready_wait AS w
JOIN etw_thread AS k ON k.utid = w.waker_utid
WHERE w.cause = 'wake' AND w.ts >= :range_start AND w.ts < :range_end
GROUP BY w.waker_utid
ORDER BY blocked_ns DESC
LIMIT :limit;
