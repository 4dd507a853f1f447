-- Which process has the user's attention, and what the user does.
INCLUDE PERFETTO MODULE etw.generic_event;

INCLUDE PERFETTO MODULE etw.process;

INCLUDE PERFETTO MODULE etw.trace;

-- Spans in which a process had the input focus: its window was in the foreground of its session. Times without focus
-- have no row.
--
-- Recorded by the provider Microsoft-Windows-Win32k with the keyword 0x2000, as changes.
CREATE PERFETTO TABLE etw_focus(
  -- Timestamp at which it got the focus; where that was before the recording, of the recording's start.
  ts TIMESTAMP,
  -- Length of the span in ns, up to the next change or the recording's end.
  dur DURATION,
  -- Terminal session.
  session LONG,
  -- The process; null if the recording does not describe it.
  upid LONG,
  -- Its process id.
  pid LONG,
  -- 1 if it had the focus before the recording.
  open_start LONG,
  -- 1 if it still had the focus when the recording ended.
  open_end LONG
) AS
WITH
  -- Where the trace does not describe the event, the converter names its fields in other letters.
  change AS (
    SELECT
      ts,
      ifnull(fields ->> '$.SessionId', fields ->> '$.SessionID') AS session,
      ifnull(fields ->> '$.OldProcessId', fields ->> '$.OldProcessID') AS old_pid,
      ifnull(fields ->> '$.NewProcessId', fields ->> '$.NewProcessID') AS new_pid
    FROM etw_generic_event
    WHERE kind GLOB 'Microsoft-Windows-Win32k/*' AND event_id = 26
  ),
  span AS (
    SELECT
      ts,
      lead(ts) OVER (PARTITION BY session ORDER BY ts) AS te,
      session,
      new_pid AS pid,
      0 AS open_start
    FROM change
    UNION ALL
    SELECT t.start_ts AS ts, min(c.ts) AS te, c.session, c.old_pid AS pid, 1 AS open_start
    FROM change AS c
    JOIN etw_trace AS t
    GROUP BY c.session
  )
SELECT
  s.ts,
  ifnull(s.te, t.end_ts) - s.ts AS dur,
  s.session,
  _etw_upid_at!(s.pid, s.ts) AS upid,
  s.pid,
  s.open_start,
  s.te IS NULL AS open_end
FROM span AS s
JOIN etw_trace AS t
WHERE s.pid != 0
ORDER BY s.ts;

-- What the user did with keyboard and mouse, as UIforETW's provider Multi-Input logs it. Releases of keys are not logged,
-- and by default every letter is logged as `A`, every digit as `0`.
CREATE PERFETTO TABLE etw_input(
  -- Timestamp of the input.
  ts TIMESTAMP,
  -- `mouse_down`, `mouse_up`, `mouse_move`, `mouse_wheel` or `key_down`.
  kind STRING,
  -- The mouse button (0 left, 1 middle, 2 right), how far the wheel was turned (120 is one notch), or the key's code;
  -- null for `mouse_move`.
  code LONG,
  -- Name of the key; null for the mouse.
  key_name STRING,
  -- Where the mouse was, in pixels from the left; null for keys.
  x LONG,
  -- Where the mouse was, in pixels from the top; null for keys.
  y LONG
) AS
SELECT
  ts,
  CASE event_id
    WHEN 400 THEN 'mouse_down'
    WHEN 401 THEN 'mouse_up'
    WHEN 402 THEN 'mouse_move'
    WHEN 403 THEN 'mouse_wheel'
    WHEN 404 THEN 'key_down'
  END AS kind,
  -- Where the trace does not describe the event, the converter names its fields and buttons itself.
  CASE event_id
    WHEN 403 THEN ifnull(fields ->> '$.zDelta', fields ->> '$.Delta')
    WHEN 404 THEN ifnull(fields ->> '$."Virtual key code"', fields ->> '$.VirtualKey')
    ELSE
      ifnull(
        fields ->> '$."Button Type"',
        CASE fields ->> '$.Button'
          WHEN 'Left' THEN 0
          WHEN 'Middle' THEN 1
          WHEN 'Right' THEN 2
          ELSE fields ->> '$.Button'
        END
      )
  END AS code,
  ifnull(fields ->> '$."Key name"', fields ->> '$.KeyName') AS key_name,
  ifnull(fields ->> '$.x', fields ->> '$.X') AS x,
  ifnull(fields ->> '$.y', fields ->> '$.Y') AS y
FROM etw_generic_event
WHERE kind GLOB 'Multi-Input/*' AND event_id BETWEEN 400 AND 404
ORDER BY ts;
