SELECT start_ts, dur_ns, cpu_count FROM etw_trace;
