-- The 500 longest waits, with what came before them and how the CPUs stood that took the threads.
SELECT
  w.ts, w.te, w.utid, w.cpu, w.cause,
  EXISTS (SELECT 1 FROM etw_run AS i WHERE i.te = w.te AND +i.cpu = w.cpu AND +i.utid = 0) AS took_idle_cpu,
  (SELECT n.previous_c_state FROM etw_run AS n WHERE n.ts = w.te AND +n.utid = w.utid) AS c_state,
  h.last_switch_out_ts, h.last_wait_reason AS wait_reason, h.ready_increment
FROM etw_ready_wait AS w
JOIN etw_ready_wait_history AS h ON h.utid = w.utid AND h.ts = w.ts
ORDER BY w.dur DESC, w.ts
LIMIT 500;
