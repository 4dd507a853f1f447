-- When the recording begins and ends, and whether it tells who woke whom.
SELECT start_ts, trace_end() AS end_ts, ready_threads = 0 AS has_no_wakes FROM etw_trace;
