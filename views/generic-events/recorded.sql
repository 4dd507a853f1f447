-- What the trace holds, to say what cannot be known.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  (SELECT selected_kinds FROM etw_trace) AS selected_kinds,
  EXISTS (SELECT 1 FROM _etw_generic_event) AS has_events,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
