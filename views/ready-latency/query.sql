-- The longest ready waits of the range in view, and who ended each.
WITH -- if wait_reason
  longest AS ( -- if wait_reason
SELECT
  w.utid, -- if wait_reason
  w.ts, w.dur, t.process_name AS process, t.tid, t.name AS thread, w.cause, w.priority, w.rank, w.rank_source,
  k.process_name AS waker_process, k.tid AS waker_tid
FROM etw_ready_wait AS w -- if no why
FROM etw_ready_wait_reason AS w -- if why
JOIN etw_thread AS t USING (utid)
LEFT JOIN etw_thread AS k ON k.utid = w.waker_utid
WHERE w.ts < :range_end AND w.te > :range_start
  AND matches(:process, t.process_name)
  AND matches(:thread, t.name, id(t.tid))
  AND w.dur >= :at_least_ns
  AND w.cause = :cause
  AND w.main_reason = :why
  AND w.rank > 0 -- if ranked_only
  AND w.rank = :rank
  AND w.priority = :priority
ORDER BY w.dur DESC
LIMIT 10000 -- if wait_reason
  ) -- if wait_reason
SELECT l.*, h.last_wait_reason -- if wait_reason
FROM longest AS l -- if wait_reason
JOIN etw_ready_wait_history AS h ON h.ts = l.ts AND h.utid = l.utid -- if wait_reason
WHERE matches(:wait_reason, h.last_wait_reason)
ORDER BY l.dur DESC -- if wait_reason
LIMIT :limit;
