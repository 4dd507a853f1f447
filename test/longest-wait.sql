-- The longest wait in the ready state of any thread of LockApp.exe, with the thread that ended its wait.
SELECT
  w.ts,
  w.ts + w.dur AS switch_in_ts,
  s.last_switch_out_ts,
  w.cause,
  w.ended,
  t.process_name AS process,
  t.pid,
  t.tid,
  waker.pid AS waker_pid,
  waker.tid AS waker_tid,
  w.waker_in_dpc,
  w.cpu,
  w.priority,
  w.rank
FROM etw_ready_wait AS w
JOIN etw_thread AS t USING (utid)
JOIN etw_context_switch AS s ON s.new_utid = w.utid AND s.ts = w.ts + w.dur
LEFT JOIN etw_thread AS waker ON waker.utid = w.waker_utid
WHERE t.process_name = 'LockApp.exe'
ORDER BY w.dur DESC
LIMIT 1;
