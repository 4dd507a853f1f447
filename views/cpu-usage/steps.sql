-- CPU time in the steps that etw_cpu_time has sums of, and in what the range has beyond them at either end.
SELECT ts, utid, priority, rank, ran_ns
FROM etw_cpu_time
WHERE ts >= :steps_start AND ts < :steps_end
UNION ALL
SELECT :range_start, utid, priority, rank, ran_ns
FROM etw_cpu_time_between(:range_start, :steps_start)
UNION ALL
SELECT :steps_end, utid, priority, rank, ran_ns
FROM etw_cpu_time_between(:steps_end, :range_end);
