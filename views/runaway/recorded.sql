-- What the trace holds, to say what cannot be known, and how `_etw_cpu_sum` is cut.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  (SELECT dur FROM _etw_cpu_step LIMIT 1) AS step_ns,
  EXISTS (SELECT 1 FROM _etw_cpu_sum WHERE key >> 14 & 0xFFFFFF != 0) AS has_switches,
  EXISTS (SELECT 1 FROM _etw_sample) AS has_samples,
  EXISTS (SELECT 1 FROM _etw_stacked_sample) AS has_stacks,
  EXISTS (SELECT 1 FROM etw_loss WHERE ts < :range_end) AS has_losses;
