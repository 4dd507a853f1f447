-- How many handles processes had open, where that was recorded.
INCLUDE PERFETTO MODULE etw.process;

-- Handle counts that Windows recorded: when a recording ends, and when a process stops (by the provider
-- Microsoft-Windows-Kernel-Process with the keyword 0x10).
CREATE PERFETTO TABLE etw_handle_count(
  -- When it was counted.
  ts TIMESTAMP,
  -- The process.
  upid LONG,
  -- How many handles it had open.
  handles LONG
) AS
SELECT ts, upid, handles
FROM (
  SELECT ts, _etw_upid_at!(fields ->> '$.ProcessId', ts) AS upid, fields ->> '$.HandleCount' AS handles
  FROM etw_generic_event
  -- `Process/PerfCtr` counts the handles of an ended process when they are closed: 0.
  WHERE kind = 'Process/PerfCtrRundown'
  UNION ALL
  SELECT ts, _etw_upid_at!(fields ->> '$.ProcessID', ts), fields ->> '$.HandleCount'
  FROM etw_generic_event
  WHERE kind = 'Microsoft-Windows-Kernel-Process/ProcessStop/Stop'
)
WHERE upid IS NOT NULL AND handles IS NOT NULL
ORDER BY ts;

-- Handles that processes opened and closed. Recorded with the kernel flag `OB_HANDLE`.
CREATE PERFETTO TABLE etw_handle_change(
  -- When.
  ts TIMESTAMP,
  -- The process that has one handle more or less.
  upid LONG,
  -- 1 for a handle that was opened, or duplicated into the process; -1 for one that was closed.
  change LONG
) AS
SELECT ts, upid, change
FROM (
  SELECT
    e.ts,
    iif(
      e.kind = 'Object/DuplicateHandle',
      _etw_upid_at!(e.fields ->> '$.TargetProcessId', e.ts),
      (SELECT t.upid FROM etw_thread AS t WHERE t.utid = e.utid)
    ) AS upid,
    iif(e.kind = 'Object/CloseHandle', -1, 1) AS change
  FROM etw_generic_event AS e
  WHERE e.kind IN ('Object/CreateHandle', 'Object/CloseHandle', 'Object/DuplicateHandle')
)
WHERE upid IS NOT NULL
ORDER BY ts;
