-- The longest waits for the user lock in the range in view.
SELECT w.ts, w.dur, t.process_name AS process, t.tid, t.name AS thread, w.is_shared
FROM etw_user_lock_wait AS w
LEFT JOIN etw_thread AS t USING (utid)
WHERE w.ts < :range_end AND w.ts + w.dur > :range_start
  AND matches(:process, t.process_name, id(t.pid))
ORDER BY w.dur DESC
LIMIT :limit;
