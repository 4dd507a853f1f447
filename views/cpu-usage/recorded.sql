-- What the trace holds, to say what cannot be known, and how etw_cpu_time is cut.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  ifnull((SELECT cpu_count FROM etw_trace), (SELECT MAX(cpu) + 1 FROM etw_run)) AS cpu_count,
  (SELECT dur FROM _etw_cpu_step LIMIT 1) AS step_ns,
  EXISTS (SELECT 1 FROM etw_run) AS has_switches,
  EXISTS (SELECT 1 FROM etw_run WHERE rank IS NOT NULL) AS has_ranks,
  ifnull(
    (
      SELECT SUM(min(r.te, :range_end) - max(r.ts, :range_start))
      FROM _etw_other_rank_before AS b
      CROSS JOIN _etw_run AS r ON r.ts = b.ts
      WHERE b.rank IS NOT NULL AND r.rank IS NOT NULL AND r.ts < :range_end AND r.te > :range_start
    ),
    0
  ) AS other_rank_before_ns,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
