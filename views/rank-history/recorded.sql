-- What the trace holds, to say what cannot be known.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  EXISTS (SELECT 1 FROM etw_run) AS has_switches,
  EXISTS (SELECT 1 FROM etw_run WHERE rank IS NOT NULL) AS has_ranks,
  EXISTS (SELECT 1 FROM etw_focus) AS has_focus,
  EXISTS (SELECT 1 FROM etw_process_freeze) AS has_freezes,
  EXISTS (SELECT 1 FROM etw_suspend) AS has_sleeps,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
