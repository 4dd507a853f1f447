-- What a recording says of itself and of its machine.
SELECT
  t.start_ts,
  t.dur_ns,
  t.start_utc_ns,
  t.cpu_count,
  nullif(t.cpu_mhz, 0) AS cpu_mhz,
  t.os_build,
  t.os_version,
  t.events_read,
  t.events_lost,
  t.buffers_lost,
  t.redacted,
  (SELECT COUNT(*) FROM etw_loss) AS gaps,
  (
    SELECT nullif(trim(fields ->> '$.ComputerName'), '')
    FROM etw_generic_event
    WHERE provider = 'SysConfig' AND fields ->> '$.ComputerName' IS NOT NULL
    ORDER BY ts
    LIMIT 1
  ) AS computer,
  (
    SELECT nullif(fields ->> '$.MemSize', 0)
    FROM etw_generic_event
    WHERE provider = 'SysConfig' AND fields ->> '$.MemSize' IS NOT NULL
    ORDER BY ts
    LIMIT 1
  ) AS memory_mb
FROM etw_trace AS t;
