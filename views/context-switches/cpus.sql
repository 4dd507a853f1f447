-- Context switches by CPU and bucket: whole steps as they were counted, what is before and after them from the runs.
SELECT ts, cpu, switches, to_idle
FROM etw_cpu_switches
WHERE ts >= :steps_start AND ts < :steps_end
UNION ALL
SELECT
  :range_start + (ts - :range_start) / :bucket_ns * :bucket_ns AS ts, cpu,
  COUNT(*) AS switches, SUM(utid = 0) AS to_idle
FROM _etw_run
WHERE ts >= :range_start AND ts < :steps_start
GROUP BY 1, 2
UNION ALL
SELECT :steps_end AS ts, cpu, COUNT(*) AS switches, SUM(utid = 0) AS to_idle
FROM _etw_run
WHERE ts >= :steps_end AND ts < :range_end
GROUP BY 1, 2;
