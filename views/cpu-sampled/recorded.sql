-- What the trace holds, to say what cannot be known.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  EXISTS (SELECT 1 FROM _etw_sample) AS has_samples,
  EXISTS (SELECT 1 FROM _etw_stacked_sample) AS has_stacks,
  EXISTS (SELECT 1 FROM etw_symbol WHERE function IS NOT NULL) AS has_symbols,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
