-- Threads of processes that were not exiting, and waited for one that was: their longest waits.
SELECT w.utid, COUNT(*) AS waits, MAX(b.dur) AS longest_ns, b.te - b.dur AS ts, r.switch_out_wait_reason AS wait_reason
FROM _etw_ready_wait AS w
CROSS JOIN etw_process_exit AS x
CROSS JOIN _etw_blocked AS b
LEFT JOIN etw_run AS r ON r.te = b.te - b.dur AND +r.utid = b.utid
WHERE
  w.ts >= (SELECT MIN(ts) FROM etw_process_exit)
  AND w.ts <= (SELECT MAX(te) FROM etw_process_exit)
  AND x.utid = w.waker_utid
  AND w.ts BETWEEN x.ts AND x.te
  AND b.te = w.ts
  AND +b.utid = w.utid
  AND NOT EXISTS (
    SELECT 1 FROM etw_thread AS t
    JOIN etw_process_exit AS e ON e.upid = t.upid
    WHERE t.utid = w.utid AND e.ts <= w.ts
  )
GROUP BY w.utid
ORDER BY longest_ns DESC;
