-- All waits of the trace, counted by `key`.
SELECT key, waits, sum_ns, max_ns
FROM _etw_ready_wait_bin;
