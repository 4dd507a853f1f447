-- Context switches to each thread, and its CPU time: from the steps that are wholly in the range, and the runs beside them.
SELECT utid, SUM(switches) AS switches, SUM(ran_ns) AS ran_ns
FROM (
  SELECT key >> 14 & 0xFFFFFF AS utid, switches, ran_ns
  FROM _etw_cpu_sum
  WHERE key >= (:first_step << 38) AND key < (:after_step << 38)
  UNION ALL
  SELECT utid, switches, ran_ns FROM etw_cpu_time_between(:range_start, :steps_start)
  UNION ALL
  SELECT utid, switches, ran_ns FROM etw_cpu_time_between(:steps_end, :range_end)
)
WHERE utid != 0
GROUP BY utid;
