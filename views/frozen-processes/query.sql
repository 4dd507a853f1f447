-- The freezes of processes in the range in view, and who caused each.
SELECT
  f.ts, f.dur, p.name AS process, f.pid, f.open_start, f.open_end, b.process_name AS by_process, b.tid AS by_tid
FROM etw_process_freeze AS f
LEFT JOIN etw_process AS p USING (upid)
LEFT JOIN etw_thread AS b ON b.utid = f.frozen_by_utid
WHERE f.ts < :range_end AND f.ts + f.dur > :range_start
  AND matches(:process, p.name)
ORDER BY f.dur DESC
LIMIT :limit;
