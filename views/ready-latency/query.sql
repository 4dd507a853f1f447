-- The longest ready waits of the range in view, and who ended each.
SELECT
  w.ts, w.dur, t.process_name AS process, t.tid, t.name AS thread, w.cause, w.priority, w.rank, w.rank_source,
  k.process_name AS waker_process, k.tid AS waker_tid
  , p.switch_out_wait_reason AS last_wait_reason -- if wait_reason
FROM etw_ready_wait AS w -- if no why
FROM etw_ready_wait_reason AS w -- if why
-- `+` keeps the engine from looking up by thread, which takes longer than by time. -- if wait_reason
JOIN etw_run AS p ON p.te = ifnull(w.last_switch_out_ts, w.ts) AND +p.utid = w.utid -- if wait_reason
JOIN etw_thread AS t ON t.utid = w.utid
LEFT JOIN etw_thread AS k ON k.utid = w.waker_utid
WHERE w.ts < :range_end AND w.te > :range_start
  AND matches(:process, t.process_name)
  AND matches(:thread, t.name, id(t.tid))
  AND w.dur >= :at_least_ns
  AND w.cause = :cause
  AND w.main_reason = :why
  AND matches(:wait_reason, p.switch_out_wait_reason)
  AND w.rank > 0 -- if ranked_only
  AND w.rank = :rank
  AND w.priority = :priority
ORDER BY w.dur DESC
LIMIT :limit;
