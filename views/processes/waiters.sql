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
    FROM etw_process_exit_queue
    GROUP BY queue, wait_reason
    HAVING COUNT(*) > 1
  ),
  -- Those who waited for the same reason over a queue or just after it, and when the thread that let each go had been let go itself.
  held AS MATERIALIZED (
    SELECT
      w.utid, w.ts AS te, w.waker_utid,
      (
        SELECT MAX(a.ts) FROM etw_ready_wait AS a
        WHERE a.utid = w.waker_utid AND a.ts < w.ts AND a.cause = 'wake'
      ) AS waker_te
    FROM queue AS q
    CROSS JOIN etw_ready_wait AS w ON w.ts > q.ts AND w.ts < 2 * q.te - q.ts AND w.last_switch_out_ts < q.te
    CROSS JOIN etw_run AS r ON r.te = w.last_switch_out_ts AND +r.utid = w.utid
    WHERE r.switch_out_wait_reason = q.wait_reason AND w.cause = 'wake'
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
    FROM etw_ready_wait AS w
    CROSS JOIN exiting AS x
    WHERE
      w.ts >= (SELECT MIN(ts) FROM etw_process_exit)
      AND w.ts <= (SELECT MAX(te) FROM etw_process_exit)
      AND x.utid = w.waker_utid
      AND w.ts BETWEEN x.ts AND x.te
  )
-- SQLite takes the other columns from the row of the MAX: the longest wait.
SELECT
  w.utid,
  COUNT(*) AS waits,
  MAX(b.ts - b.last_switch_out_ts) AS longest_ns,
  b.last_switch_out_ts AS ts,
  r.switch_out_wait_reason AS wait_reason
FROM waited AS w
CROSS JOIN etw_ready_wait AS b ON b.ts = w.te AND +b.utid = w.utid
LEFT JOIN etw_run AS r ON r.te = b.last_switch_out_ts AND +r.utid = b.utid
WHERE b.cause = 'wake' AND b.last_switch_out_ts IS NOT NULL AND NOT EXISTS (SELECT 1 FROM exiting AS e WHERE e.utid = w.utid AND e.ts <= w.te)
GROUP BY w.utid
ORDER BY longest_ns DESC;
