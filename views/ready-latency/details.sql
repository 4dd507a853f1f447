-- The picked waits with names, and with what came before.
SELECT
  p.ts, p.dur, p.ended, p.cause, p.priority, p.rank, p.cpu, p.waker_in_dpc,
  t.tid, t.name AS thread, t.pid, t.process_name AS process, t.base_priority, t.create_ts,
  w.tid AS waker_tid, w.process_name AS waker_process,
  h.blocked_ns, h.last_switch_out_ts, h.last_wait_reason AS wait_reason, h.ready_increment,
  (SELECT start_ts FROM etw_trace) AS start_ts
FROM _ready_latency_picked AS p
JOIN etw_ready_wait_history AS h ON h.utid = p.utid AND h.ts = p.ts
LEFT JOIN etw_thread AS t ON t.utid = p.utid
LEFT JOIN etw_thread AS w ON w.utid = p.waker_utid
ORDER BY p.dur DESC, p.ts;
