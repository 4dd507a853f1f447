-- @title User lock contention
-- @means Threads waited for the user lock, the one lock that guards all windows of a session, while one thread held it.
-- @matters Every message, window, menu and cursor of the session needs this lock: while one thread has it, all programs that
--   the user sees stand still, also those that have nothing to do with that thread.
-- @lost How long threads of the process in focus waited for that thread; where none of them did, or the focus was not
--   recorded, how long all threads did, summed.
-- @threshold 100 ms: longer than that, a user sees a delay (web.dev/articles/rail)
-- @needs user_locks
-- @not_said Why the holder took so long.
-- @decide samples: which code the holder ran
-- @decide disk_io: whether the holder waited for a disk
-- @sentence {thread} held the user lock while {threads:count} {threads:thread|threads} waited {waited_ns:duration}
--   for it[, {focus_ns:duration} of it in the process in focus]; the longest wait, of {waiter}, took
--   {longest_ns:duration}[, in which the holder ran for {ran_ns:duration}][, most often in {code}].
-- @proof user-locks

WITH
  reach AS (SELECT MAX(dur) AS dur FROM etw_user_lock_hold),
  -- Of each long wait, how long one other thread held the lock: for half of it at least.
  held AS (
    SELECT
      w.ts, w.dur, w.utid AS waiter, h.utid AS holder,
      SUM(min(w.ts + w.dur, h.ts + h.dur) - max(w.ts, h.ts)) AS held_ns
    FROM reach AS r
    CROSS JOIN etw_user_lock_wait AS w
    CROSS JOIN etw_user_lock_hold AS h ON h.ts < w.ts + w.dur AND h.ts > w.ts - r.dur
    WHERE w.dur >= :threshold AND h.ts + h.dur > w.ts AND h.utid != w.utid
    GROUP BY w.ts, w.dur, w.utid, h.utid
    HAVING SUM(min(w.ts + w.dur, h.ts + h.dur) - max(w.ts, h.ts)) * 2 >= w.dur
  ),
  waited AS (
    SELECT
      h.*,
      EXISTS (
        SELECT 1 FROM etw_focus AS f WHERE f.upid = t.upid AND f.ts < h.ts + h.dur AND f.ts + f.dur > h.ts
      ) AS in_focus
    FROM held AS h
    LEFT JOIN etw_thread AS t ON t.utid = h.waiter
  ),
  -- SQLite takes the other columns from the row of the MAX: the longest wait.
  holder AS (
    SELECT
      holder, ts, MAX(dur) AS dur, waiter,
      COUNT(DISTINCT waiter) AS threads,
      SUM(held_ns) AS waited_ns,
      nullif(SUM(in_focus * held_ns), 0) AS focus_ns
    FROM waited
    GROUP BY holder
    ORDER BY waited_ns DESC
    -- One more than are listed, so that it is told where there are more.
    LIMIT 51
  )
SELECT
  o.ts, o.dur, o.holder AS utid, NULL AS upid,
  ifnull(o.focus_ns, o.waited_ns) / 1e9 AS seconds_lost,
  o.threads, o.waited_ns, o.focus_ns,
  o.dur AS longest_ns, etw_thread_label(o.waiter) AS waiter,
  (
    SELECT SUM(min(r.ts + r.dur, o.ts + o.dur) - max(r.ts, o.ts))
    FROM etw_run AS r
    WHERE r.utid = o.holder AND r.ts < o.ts + o.dur AND r.ts + r.dur > o.ts
  ) AS ran_ns,
  (
    SELECT ifnull(f.function, replace(f.module, rtrim(f.module, replace(f.module, '\', '')), ''))
    FROM etw_sample AS s
    JOIN etw_stack_frame AS f ON f.callsite = s.callsite
    WHERE s.utid = o.holder AND s.ts >= o.ts AND s.ts < o.ts + o.dur
    GROUP BY 1
    ORDER BY COUNT(*) DESC, 1
    LIMIT 1
  ) AS code
FROM holder AS o;
