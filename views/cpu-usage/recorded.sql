-- What the trace holds, to say what cannot be known, and how etw_cpu_time is cut.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  ifnull((SELECT cpu_count FROM etw_trace), (SELECT MAX(cpu) + 1 FROM etw_run)) AS cpu_count,
  (SELECT dur FROM _etw_cpu_step LIMIT 1) AS step_ns,
  EXISTS (SELECT 1 FROM etw_run) AS has_switches,
  EXISTS (SELECT 1 FROM etw_run WHERE rank IS NOT NULL) AS has_ranks,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
