-- How many CPUs there are, and how long a step of etw_cpu_time is.
SELECT cpu_count, max(1, (end_ts - start_ts + 511) / 512) AS step_ns
FROM etw_trace;
