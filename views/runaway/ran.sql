-- CPU time of threads by step of time, from the steps that begin before the end of what is shown.
SELECT ts + dur AS te, utid, SUM(ran_ns) AS ran_ns
FROM etw_cpu_time
WHERE ts < :range_end AND utid != 0
GROUP BY te, utid
ORDER BY te;
