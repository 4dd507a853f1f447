-- What the trace holds, to say what cannot be known.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  (SELECT selected_kinds FROM etw_trace) AS selected_kinds,
  EXISTS (SELECT 1 FROM _etw_disk_io) AS has_disk,
  EXISTS (SELECT 1 FROM _etw_file_io) AS has_file,
  EXISTS (SELECT 1 FROM etw_hard_fault) AS has_hard_fault,
  EXISTS (SELECT 1 FROM _etw_file_io WHERE dur IS NOT NULL) AS has_file_ends,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
