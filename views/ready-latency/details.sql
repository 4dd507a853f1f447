-- The picked waits with names, and with what came before: :max_rows at most.
SELECT
  p.ts, p.dur, p.ended, p.cause, p.utid, p.priority, p.cpu, p.waker_in_dpc,
  p.rank, p.rank_source, p.rank_before, p.rank_after, j.before_explains_ns, j.after_explains_ns,
  -- Nothing tells until when.
  p.flags & 6 > 0 AND h.last_ready_ts IS NULL AS swapped_out,
  EXISTS (SELECT 1 FROM etw_run AS i WHERE i.te = p.te AND +i.cpu = p.cpu AND +i.utid = 0) AS took_idle_cpu,
  (SELECT n.previous_c_state FROM etw_run AS n WHERE n.ts = p.te AND +n.utid = p.utid) AS c_state,
  -- Of a thread that nothing describes, its switches tell the id.
  ifnull(t.tid, (SELECT k.tid FROM thread AS k WHERE k.utid = p.utid)) AS tid, t.name AS thread, t.pid, t.process_name AS process, t.base_priority, t.create_ts,
  w.tid AS waker_tid, w.process_name AS waker_process,
  h.blocked_ns, h.last_switch_out_ts, h.last_wait_reason AS wait_reason, h.ready_increment,
  (SELECT start_ts FROM etw_trace) AS start_ts
FROM _picked_ready_wait AS p
JOIN etw_ready_wait_history AS h ON h.utid = p.utid AND h.ts = p.ts
LEFT JOIN etw_ready_wait_rank AS j ON j.ts = p.ts AND j.utid = p.utid
LEFT JOIN etw_thread AS t ON t.utid = p.utid
LEFT JOIN etw_thread AS w ON w.utid = p.waker_utid
ORDER BY p.dur DESC, p.ts
LIMIT :max_rows;
