-- What the trace holds, to say what cannot be known, and how the counts by step are cut.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  (SELECT cpu_count FROM etw_trace) AS cpu_count,
  (SELECT dur FROM _etw_cpu_step LIMIT 1) AS step_ns,
  EXISTS (SELECT 1 FROM _etw_run) AS has_switches,
  EXISTS (SELECT 1 FROM etw_sample) AS has_samples,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
