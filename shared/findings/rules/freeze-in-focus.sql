-- @title Frozen while in focus
-- @means A process was frozen while it had the input focus: Windows let none of its threads run, whatever their rank and
--   priority.
-- @matters The user looks at a window that cannot answer. Windows means to freeze only what is out of sight.
-- @lost How long the process was both frozen and in focus.
-- @threshold 100 ms: longer than that, a user sees a delay (web.dev/articles/rail)
-- @needs focus
-- @needs freezes
-- @not_said Why Windows froze the process.
-- @decide stacks: which code asked for it
-- @sentence {process} had the focus and was frozen for {dur:duration} of it[, by {by}].
-- @proof frozen-processes process={process_name}

SELECT
  max(f.ts, o.ts) AS ts,
  min(f.ts + f.dur, o.ts + o.dur) - max(f.ts, o.ts) AS dur,
  NULL AS utid, f.upid,
  (min(f.ts + f.dur, o.ts + o.dur) - max(f.ts, o.ts)) / 1e9 AS seconds_lost,
  etw_thread_label(f.frozen_by_utid) AS by
FROM etw_process_freeze AS f
JOIN etw_focus AS o ON o.pid = f.pid AND o.upid IS f.upid AND o.ts < f.ts + f.dur AND o.ts + o.dur > f.ts
WHERE min(f.ts + f.dur, o.ts + o.dur) - max(f.ts, o.ts) >= :threshold;
