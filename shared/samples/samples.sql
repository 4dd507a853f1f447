-- Samples of threads other than the idle thread.
SELECT ts, utid, callsite, value, is_kernel
FROM _etw_sample
WHERE ts >= :range_start AND ts < :range_end AND utid != 0
ORDER BY ts;
