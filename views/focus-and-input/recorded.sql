-- What the trace holds, to say what cannot be known.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  EXISTS (SELECT 1 FROM etw_focus) AS has_focus,
  EXISTS (SELECT 1 FROM etw_input) AS has_input,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
