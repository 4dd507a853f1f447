-- What a recording says of itself and of its machine.
SELECT
  start_ts,
  end_ts,
  dur_ns,
  os_build,
  os_version,
  cpu_count,
  cpu_mhz,
  pointer_bytes,
  clock,
  clock_hz,
  timer_resolution_ns,
  kernel_flags,
  events_lost,
  buffers_lost,
  selected_kinds,
  redacted,
  (SELECT COUNT(*) FROM etw_loss) AS gaps,
  -- Of which CPU a lost buffer was is not known, and its events may be older than those of the buffers around it.
  MAX(
    (
      SELECT TOTAL(COALESCE(count, 1))
      FROM etw_loss
      WHERE cpu IS NULL AND kind IN ('lost_buffers', 'damaged_buffer')
    ) / MAX(1, COALESCE(buffers_read, 0)),
    (
      SELECT TOTAL(count)
      FROM etw_loss
      WHERE cpu IS NULL AND kind = 'lost_events'
    ) / MAX(1, COALESCE(events_read, 0))
  ) AS missing_part
FROM etw_trace;
