-- The user lock: the one lock of a session's window manager (win32k's user critical section), which every window,
-- message and cursor needs.
INCLUDE PERFETTO MODULE etw.generic_event;

INCLUDE PERFETTO MODULE etw.trace;

-- The events of the lock. They give a length in ticks of the performance counter; their forms for telemetry, which are
-- written of long ones alone, in ms. Where both are recorded, the same is not told twice.
CREATE PERFETTO TABLE _etw_user_lock AS
WITH
  event AS (
    SELECT
      ts,
      utid,
      event_id,
      ifnull(fields ->> '$.AcquireQpcCounts', fields ->> '$.HoldQpcCounts') AS counts,
      ifnull(fields ->> '$.AcquireTimeMs', fields ->> '$.HoldTimeMs') AS ms
    FROM etw_generic_event
    WHERE
      kind GLOB 'Microsoft-Windows-Win32k/*'
      AND event_id IN (163, 164, 165, 166, 167, 416, 417)
  ),
  recorded AS (
    SELECT ifnull(MAX(event_id < 167), 0) AS acquired, ifnull(MAX(event_id = 167), 0) AS released
    FROM event
  )
SELECT
  e.ts AS te,
  -- The frequency of the performance counter is known where it is the trace's clock.
  CAST(iif(t.clock = 'qpc' AND e.counts > 0, e.counts * 1e9 / t.clock_hz, e.ms * 1e6) AS INTEGER) AS dur,
  e.utid,
  e.event_id IN (167, 417) AS is_hold,
  e.event_id IN (165, 166) AS is_shared
FROM event AS e
JOIN recorded AS r
JOIN etw_trace AS t
WHERE (e.event_id != 416 OR NOT r.acquired) AND (e.event_id != 417 OR NOT r.released);

-- Waits for the user lock, each of a thread that then had it. A thread that had not got it when the recording ended is not
-- among them.
--
-- Recorded by the provider Microsoft-Windows-Win32k with the keyword 0x0200000010000000, which UIforETW leaves out.
CREATE PERFETTO TABLE etw_user_lock_wait(
  -- Timestamp at which it began to wait.
  ts TIMESTAMP,
  -- Length of the wait in ns; 0 for a lock that was free.
  dur DURATION,
  -- The thread.
  utid LONG,
  -- 1 if it shared the lock with others who only read, 0 if it had it alone.
  is_shared LONG
) AS
SELECT te - dur AS ts, dur, utid, is_shared
FROM _etw_user_lock
WHERE NOT is_hold AND dur IS NOT NULL
ORDER BY ts;

-- Spans in which a thread held the user lock. One that had not let it go when the recording ended is not among them.
--
-- Recorded as etw_user_lock_wait is.
CREATE PERFETTO TABLE etw_user_lock_hold(
  -- Timestamp at which it had the lock; before the recording's start if it had it then.
  ts TIMESTAMP,
  -- Length of the span in ns.
  dur DURATION,
  -- The thread.
  utid LONG
) AS
SELECT te - dur AS ts, dur, utid
FROM _etw_user_lock
WHERE is_hold AND dur IS NOT NULL
ORDER BY ts;
