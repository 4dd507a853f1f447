-- The longest ready waits of the range in view, and who ended each.
SELECT
  w.ts, w.dur, t.process_name AS process, t.tid, t.name AS thread, w.cause, w.priority, w.rank, w.rank_source,
  k.process_name AS waker_process, k.tid AS waker_tid
FROM etw_ready_wait AS w
JOIN etw_thread AS t USING (utid)
LEFT JOIN etw_thread AS k ON k.utid = w.waker_utid
WHERE w.ts < :range_end AND w.te > :range_start
ORDER BY w.dur DESC
LIMIT 200;
