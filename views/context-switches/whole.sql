-- The recording, and how many context switches the converter counted in it.
SELECT start_ts, end_ts, context_switches FROM etw_trace;
