-- CPU time in what the range has beyond whole steps at either end.
SELECT :range_start AS ts, utid, priority, rank, ran_ns
FROM etw_cpu_time_between(:range_start, :steps_start)
UNION ALL
SELECT :steps_end, utid, priority, rank, ran_ns
FROM etw_cpu_time_between(:steps_end, :range_end);
