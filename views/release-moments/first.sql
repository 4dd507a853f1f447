-- The waits of threads that were there before the trace, and had not run in it when they were first woken.
SELECT w.ts, w.te, w.te - (SELECT start_ts FROM etw_trace) AS waited_ns
FROM etw_thread AS t
CROSS JOIN etw_ready_wait AS w
WHERE
  t.create_ts IS NULL
  AND w.utid = t.utid
  AND w.ts = (SELECT f.ts FROM etw_ready_wait AS f WHERE f.utid = t.utid ORDER BY f.ts LIMIT 1)
  AND w.cause = 'wake'
  AND w.cpu IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM etw_run AS r WHERE r.utid = t.utid AND r.ts < w.ts);
