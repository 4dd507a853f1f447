-- When a recording starts, how many gaps a range of it has, and which kinds of events were converted, where not all were.
SELECT
  start_ts,
  selected_kinds,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS gaps
FROM etw_trace;
