-- The waits of threads that were there before the trace, and were not seen to block before they were first woken.
SELECT w.ts, w.te, w.te - (SELECT start_ts FROM etw_trace) AS waited_ns
FROM etw_thread AS t
CROSS JOIN etw_ready_wait AS w
WHERE
  t.create_ts IS NULL
  AND w.utid = t.utid
  AND w.ts = (SELECT f.ts FROM etw_ready_wait AS f WHERE f.utid = t.utid ORDER BY f.ts LIMIT 1)
  AND w.cause = 'wake'
  AND w.cpu IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM etw_run AS r WHERE r.utid = t.utid AND r.ts < w.ts)
  -- The switch-out of what ran when the trace began ends no run, but is recorded.
  AND NOT EXISTS (SELECT 1 FROM _etw_blocked AS b WHERE b.te = w.ts AND +b.utid = w.utid);
