-- How many CPUs there are, how etw_cpu_time is cut, and the CPU time of runs that may have begun at another rank.
SELECT
  ifnull((SELECT cpu_count FROM etw_trace), (SELECT MAX(cpu) + 1 FROM etw_run)) AS cpu_count,
  (SELECT dur FROM _etw_cpu_step LIMIT 1) AS step_ns,
  ifnull(
    (
      SELECT SUM(min(r.te, :range_end) - max(r.ts, :range_start))
      FROM _etw_other_rank_before AS b
      CROSS JOIN _etw_run AS r ON r.ts = b.ts
      WHERE b.rank IS NOT NULL AND r.rank IS NOT NULL AND r.ts < :range_end AND r.te > :range_start
    ),
    0
  ) AS other_rank_before_ns;
