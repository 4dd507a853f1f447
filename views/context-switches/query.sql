-- How often a thread follows another one on a CPU in the range in view.
SELECT
  o.process_name AS old_process, o.tid AS old_tid, n.process_name AS new_process, n.tid AS new_tid, COUNT(*) AS switches
FROM etw_context_switch AS s
LEFT JOIN etw_thread AS o ON o.utid = s.old_utid
LEFT JOIN etw_thread AS n ON n.utid = s.new_utid
WHERE s.ts >= :range_start AND s.ts < :range_end
  AND matches(:process, o.process_name, n.process_name)
GROUP BY s.old_utid, s.new_utid
ORDER BY switches DESC
LIMIT 200;
