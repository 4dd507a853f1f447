-- Threads of processes that were not exiting, and waited for what exiting ones held: their longest waits. These are the waits
-- that an exiting process ended, and those of the queue of exits: of who stood in it before or behind an exit, for the same reason.
WITH RECURSIVE
  exiting AS MATERIALIZED (
    SELECT t.utid, x.ts, x.te
    FROM etw_process_exit AS x
    JOIN etw_thread AS t USING (upid)
  ),
  queue AS (
    SELECT wait_reason, MIN(ts) AS ts, MAX(te) AS te
    FROM _etw_process_exit_queue
    GROUP BY queue, wait_reason
    HAVING COUNT(*) > 1
  ),
  -- Those who waited for the same reason over a queue or just after it, and when the thread that let each go had been let go itself.
  held AS MATERIALIZED (
    SELECT
      b.utid, b.te, w.waker_utid,
      (
        SELECT MAX(a.ts) FROM _etw_ready_wait AS a
        WHERE a.utid = w.waker_utid AND a.ts < w.ts AND a.waker_utid IS NOT NULL
      ) AS waker_te
    FROM queue AS q
    CROSS JOIN _etw_blocked AS b ON b.te > q.ts AND b.te < 2 * q.te - q.ts AND b.te - b.dur < q.te
    CROSS JOIN etw_run AS r ON r.te = b.te - b.dur AND +r.utid = b.utid
    CROSS JOIN _etw_ready_wait AS w ON w.ts = b.te AND +w.utid = b.utid
    WHERE r.switch_out_wait_reason = q.wait_reason AND w.waker_utid IS NOT NULL
  ),
  -- Who lets go whom, from the exits on: forward to those who are let go, and back to who was let go before.
  queued(utid, te) AS (
    SELECT utid, ready_ts FROM etw_process_exit_wait WHERE before_upid IS NOT NULL
    UNION
    SELECT h.utid, h.te
    FROM queued AS c
    CROSS JOIN held AS h ON h.waker_utid = c.utid AND h.waker_te = c.te
    UNION
    SELECT p.utid, p.te
    FROM queued AS c
    CROSS JOIN held AS h ON h.utid = c.utid AND h.te = c.te
    CROSS JOIN held AS p ON p.utid = h.waker_utid AND p.te = h.waker_te
  ),
  waited AS (
    SELECT utid, te FROM queued
    UNION
    SELECT w.utid, w.ts
    FROM _etw_ready_wait AS w
    CROSS JOIN exiting AS x
    WHERE
      w.ts >= (SELECT MIN(ts) FROM etw_process_exit)
      AND w.ts <= (SELECT MAX(te) FROM etw_process_exit)
      AND x.utid = w.waker_utid
      AND w.ts BETWEEN x.ts AND x.te
  )
-- SQLite takes the other columns from the row of the MAX: the longest wait.
SELECT w.utid, COUNT(*) AS waits, MAX(b.dur) AS longest_ns, b.te - b.dur AS ts, r.switch_out_wait_reason AS wait_reason
FROM waited AS w
CROSS JOIN _etw_blocked AS b ON b.te = w.te AND +b.utid = w.utid
LEFT JOIN etw_run AS r ON r.te = b.te - b.dur AND +r.utid = b.utid
WHERE NOT EXISTS (SELECT 1 FROM exiting AS e WHERE e.utid = w.utid AND e.ts <= w.te)
GROUP BY w.utid
ORDER BY longest_ns DESC;
