-- Frozen processes: Windows lets none of their threads run, whatever their rank and priority.
INCLUDE PERFETTO MODULE etw.generic_event;

INCLUDE PERFETTO MODULE etw.process;

INCLUDE PERFETTO MODULE etw.trace;

-- Events 11 (freeze) and 12 (thaw) of Microsoft-Windows-Kernel-Process, which share task and name.
CREATE PERFETTO TABLE _etw_freeze_change AS
WITH
  change AS (
    SELECT
      ts,
      utid,
      event_id = 11 AS is_freeze,
      fields ->> '$.FrozenProcessID' AS pid
    FROM etw_generic_event
    WHERE kind GLOB 'Microsoft-Windows-Kernel-Process/*' AND event_id IN (11, 12)
  )
SELECT
  ts,
  utid,
  is_freeze,
  pid,
  _etw_upid_at!(c.pid, c.ts) AS upid
FROM change AS c
WHERE pid IS NOT NULL
ORDER BY ts;

-- Spans in which a process was frozen. A process that was frozen before the recording and neither thawed nor frozen
-- within it has none: Windows does not report it.
--
-- Recorded by the provider Microsoft-Windows-Kernel-Process with the keyword 0x200.
CREATE PERFETTO TABLE etw_process_freeze(
  -- Timestamp at which it was frozen; where that was before the recording, of the recording's start.
  ts TIMESTAMP,
  -- Length of the span in ns, up to the thaw, the process's exit or the recording's end.
  dur DURATION,
  -- The frozen process; null if the recording does not describe it.
  upid LONG,
  -- Its process id.
  pid LONG,
  -- The thread that froze it; null if that was before the recording.
  frozen_by_utid LONG,
  -- 1 if it was frozen before the recording.
  open_start LONG,
  -- 1 if no thaw was recorded: it was still frozen when it ended or the recording did.
  open_end LONG
) AS
WITH
  ordered AS (
    SELECT
      *,
      lag(is_freeze) OVER (PARTITION BY pid, upid ORDER BY ts) AS was_freeze,
      min(iif(is_freeze, NULL, ts)) OVER (
        PARTITION BY pid, upid
        ORDER BY ts
        ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
      ) AS thaw_ts
    FROM _etw_freeze_change
  ),
  span AS (
    SELECT ts, thaw_ts AS te, upid, pid, utid AS frozen_by_utid, 0 AS open_start
    FROM ordered
    WHERE is_freeze AND was_freeze IS NOT 1
    UNION ALL
    SELECT
      max(t.start_ts, ifnull(p.create_ts, 0)) AS ts,
      o.ts AS te,
      o.upid,
      o.pid,
      NULL AS frozen_by_utid,
      1 AS open_start
    FROM ordered AS o
    JOIN etw_trace AS t
    LEFT JOIN etw_process AS p ON p.upid = o.upid
    WHERE NOT o.is_freeze AND o.was_freeze IS NULL
  )
SELECT
  s.ts,
  max(0, coalesce(s.te, p.exit_ts, t.end_ts) - s.ts) AS dur,
  s.upid,
  s.pid,
  s.frozen_by_utid,
  s.open_start,
  s.te IS NULL AS open_end
FROM span AS s
JOIN etw_trace AS t
LEFT JOIN etw_process AS p ON p.upid = s.upid
ORDER BY s.ts;
