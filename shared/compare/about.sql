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
  (SELECT COUNT(*) FROM etw_loss) AS gaps
FROM etw_trace;
