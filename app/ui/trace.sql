SELECT
  start_utc_ns, session_name, os_build, clock, events_read, context_switches, ready_threads, events_lost, buffers_lost, redacted
FROM etw_trace;
