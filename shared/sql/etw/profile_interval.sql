-- How often samples were taken.

-- How often samples were taken, one row for each change that was recorded, and for each source at the start.
CREATE PERFETTO TABLE etw_profile_interval(
  -- From when on.
  ts TIMESTAMP,
  -- What makes the samples: 0 is the timer, others are hardware counters of the machine.
  source LONG,
  -- Its name, such as `Timer` or `CacheMisses`; null where it was not recorded.
  source_name STRING,
  -- The time between two samples in ns; null for hardware counters.
  interval_ns LONG,
  -- Events of a hardware counter between two samples; null for the timer.
  interval_events LONG
) AS
WITH
  told AS (
    SELECT
      ts,
      extract_arg(arg_set_id, 'debug.source') AS source,
      extract_arg(arg_set_id, 'debug.source_name') AS source_name,
      extract_arg(arg_set_id, 'debug.interval') AS interval
    FROM slice
    WHERE name = 'etw.profile_interval'
  )
SELECT
  ts,
  source,
  source_name,
  iif(source = 0, interval * 100, NULL) AS interval_ns,
  iif(source = 0, NULL, interval) AS interval_events
FROM told
ORDER BY ts, source;
