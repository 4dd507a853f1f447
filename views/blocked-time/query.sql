-- How long each thread was blocked before the wakes of the range in view.
SELECT
  t.process_name AS process, t.tid, t.name AS thread, COUNT(*) AS waits,
  SUM(w.ts - w.last_switch_out_ts) AS blocked_ns, MAX(w.ts - w.last_switch_out_ts) AS longest_ns
FROM etw_ready_wait AS w
JOIN etw_thread AS t USING (utid)
WHERE w.cause = 'wake' AND w.ts >= :range_start AND w.ts < :range_end
GROUP BY w.utid
ORDER BY blocked_ns DESC;
