-- What the trace holds, to say what cannot be known.
SELECT
  start_ts,
  max(end_ts, trace_end()) AS end_ts,
  EXISTS (SELECT 1 FROM etw_process WHERE create_ts IS NOT NULL OR exit_ts IS NOT NULL) AS has_lives,
  EXISTS (SELECT 1 FROM etw_service) AS has_services,
  (SELECT COUNT(*) FROM etw_process WHERE exit_ts IS NOT NULL)
    - (SELECT COUNT(*) FROM etw_process_exit) AS exits_unknown
FROM etw_trace;
