-- @title Serialised exits
-- @means Processes ended one after the other: the last thread of each was blocked on its way out, and was woken by a
--   thread of another process that was itself ending.
-- @matters Ending processes queue behind one lock (such as that of the window manager), which everything else that needs
--   it waits for too: input and windows stand still meanwhile.
-- @lost From the start of the first such wait to the last of these exits.
-- @threshold 10 exits: fewer happen where programs end together
-- @needs etw_process.exit_ts: the kernel flag PROC_THREAD, while processes end
-- @needs etw_ready_wait: the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile)
-- @sentence {exits:count} processes ended one at a time within {dur:duration}, {per_exit_ns:duration} each: every one was let
--   go by the one before. The last was {process}.
-- @proof wake-chain ts={exit_ts} tid={tid}

WITH
  -- SQLite takes `utid` from the row of the MAX: the thread that ended last.
  leaving AS (
    SELECT t.upid, t.utid, MAX(t.exit_ts) AS exit_ts
    FROM etw_thread AS t
    JOIN etw_process AS p USING (upid)
    WHERE p.exit_ts IS NOT NULL AND t.exit_ts IS NOT NULL
    GROUP BY t.upid
  ),
  -- The last time that it was woken, and since when it had been blocked.
  woken AS (
    SELECT
      l.upid, l.utid, l.exit_ts,
      (
        SELECT MAX(w.ts) FROM etw_ready_wait AS w
        WHERE w.utid = l.utid AND w.ts < l.exit_ts AND w.cause = 'wake'
      ) AS ts
    FROM leaving AS l
  ),
  handed AS (
    SELECT k.upid, k.utid, k.exit_ts, k.ts - h.blocked_ns AS blocked_ts
    FROM woken AS k
    JOIN etw_ready_wait AS w ON w.utid = k.utid AND w.ts = k.ts
    JOIN etw_ready_wait_history AS h ON h.utid = k.utid AND h.ts = k.ts
    JOIN etw_thread AS waker ON waker.utid = w.waker_utid
    JOIN leaving AS before ON before.upid = waker.upid
    WHERE before.upid != k.upid AND h.blocked_ns > 0 AND before.exit_ts >= k.ts
  )
SELECT
  MIN(blocked_ts) AS ts,
  MAX(exit_ts) - MIN(blocked_ts) AS dur,
  (SELECT utid FROM handed ORDER BY exit_ts DESC LIMIT 1) AS utid,
  (SELECT upid FROM handed ORDER BY exit_ts DESC LIMIT 1) AS upid,
  (MAX(exit_ts) - MIN(blocked_ts)) / 1e9 AS seconds_lost,
  COUNT(*) AS exits,
  (MAX(exit_ts) - MIN(blocked_ts)) / COUNT(*) AS per_exit_ns,
  MAX(exit_ts) AS exit_ts
FROM handed
HAVING COUNT(*) >= :threshold;
