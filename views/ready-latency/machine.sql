-- How long the recording is, how many CPUs there are, and a tick of the clock.
SELECT end_ts, cpu_count, _etw_tick_ns() AS tick_ns FROM etw_trace;
