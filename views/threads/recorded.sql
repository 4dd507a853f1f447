-- The trace's extent.
SELECT start_ts, max(end_ts, trace_end()) AS end_ts FROM etw_trace;
