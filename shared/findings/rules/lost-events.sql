-- @title Lost events
-- @means The recording has gaps: Windows dropped events, or the file is damaged.
-- @matters In a gap nothing is known. A wait or a run that reaches over it may be too long, or be two; every number of
--   that time is a lower bound. Larger buffers, fewer events or a faster disk avoid it.
-- @lost The time in which all events are missing. A gap of one CPU counts with that CPU's part. Losses at an unknown time
--   count as no time.
-- @threshold 1 gap: any gap may hide what is looked for
-- @needs etw_trace: any recording
-- @not_said What the lost events would have told.
-- @sentence {gaps:count} × {what}[: {events:count} lost in all][, {gap_ns:duration} of gaps][; {unmeasured}].
-- @proof system

WITH
  -- What is only known of the whole recording was lost at some time of it.
  lost AS (
    SELECT l.*, iif(l.cpu IS NULL AND l.dur >= t.dur_ns, 0, l.dur) AS gap_ns
    FROM etw_loss AS l
    JOIN etw_trace AS t
  )
SELECT
  MIN(g.ts) AS ts, MAX(g.ts + g.dur) - MIN(g.ts) AS dur, NULL AS utid, NULL AS upid,
  SUM(iif(g.cpu IS NULL, 1.0, 1.0 / t.cpu_count) * g.gap_ns) / 1e9 AS seconds_lost,
  COUNT(*) AS gaps,
  CASE g.kind
    WHEN 'lost_events' THEN 'events dropped'
    WHEN 'lost_buffers' THEN 'buffers dropped'
    WHEN 'truncated' THEN 'end cut off with the file'
    WHEN 'damaged_buffer' THEN 'damaged buffer'
    WHEN 'bad_event' THEN 'event that cannot be read'
    WHEN 'bad_time' THEN 'clock that cannot be right'
    ELSE g.kind
  END AS what,
  SUM(g.count) AS events,
  nullif(SUM(g.gap_ns), 0) AS gap_ns,
  iif(SUM(g.gap_ns) > 0, NULL, 'how long nothing was recorded is not known') AS unmeasured
FROM lost AS g
JOIN etw_trace AS t
GROUP BY g.kind
HAVING COUNT(*) >= :threshold;
