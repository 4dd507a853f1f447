-- When the recording ends, and of how many ended processes the exit is not known.
SELECT
  max(end_ts, trace_end()) AS end_ts,
  (SELECT COUNT(*) FROM etw_process WHERE exit_ts IS NOT NULL)
    - (SELECT COUNT(*) FROM etw_process_exit) AS exits_unknown
FROM etw_trace;
