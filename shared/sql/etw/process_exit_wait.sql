-- What the exits of processes wait for.
INCLUDE PERFETTO MODULE etw.process_exit;

INCLUDE PERFETTO MODULE etw.ready_wait;

-- The process of a thread, if it is exiting at a time.
CREATE PERFETTO MACRO _etw_exiting_at(
  -- The thread.
  utid Expr,
  -- The time.
  ts Expr
)
RETURNS Expr AS
(
  SELECT x.upid
  FROM etw_thread AS t
  JOIN etw_process_exit AS x ON x.upid = t.upid
  WHERE t.utid = $utid AND x.ts <= $ts AND x.te >= $ts
);

-- For each exit the longest time that its last thread was blocked meanwhile, and who let it go. Exits that did not
-- wait have no row.
--
-- Needs context switches and ready threads (kernel flags `CSWITCH` and `DISPATCHER`).
CREATE PERFETTO TABLE etw_process_exit_wait(
  -- The process that ends.
  upid LONG,
  -- Its thread that waited.
  utid LONG,
  -- Timestamp since which it was blocked; not before its exit began.
  ts TIMESTAMP,
  -- How long, in ns, until it was made ready.
  dur DURATION,
  -- Timestamp at which it was made ready (`ts + dur`).
  ready_ts TIMESTAMP,
  -- Why it waited, such as `WrResource` for a lock of the kernel.
  wait_reason STRING,
  -- The thread that made it ready; null for a DPC.
  waker_utid LONG,
  -- The process that was exiting itself as it let this one go: the one before in the queue. Where the waker was not
  -- exiting, but had just been let go by one that was, that one. Null if neither.
  before_upid LONG
) AS
WITH
  wait AS (
    SELECT
      x.upid, w.utid, w.ts AS ready_ts, w.waker_utid, w.last_switch_out_ts AS blocked_ts,
      MAX(w.ts - max(x.ts, w.last_switch_out_ts)) AS blocked_ns,
      max(x.ts, w.last_switch_out_ts) AS ts
    FROM etw_process_exit AS x
    CROSS JOIN etw_ready_wait AS w
    WHERE
      w.utid = x.utid
      AND w.ts > x.ts
      AND w.ts <= x.te
      AND w.cause = 'wake'
      AND w.last_switch_out_ts IS NOT NULL
    GROUP BY x.upid
  ),
  -- When the waker was let go itself: by the one before in the queue, perhaps.
  passed AS (
    SELECT
      w.*,
      (
        SELECT MAX(a.ts) FROM etw_ready_wait AS a
        WHERE a.utid = w.waker_utid AND a.ts >= w.ts AND a.ts < w.ready_ts AND a.cause = 'wake'
      ) AS through_ts
    FROM wait AS w
  )
SELECT
  upid,
  utid,
  ts,
  blocked_ns AS dur,
  ready_ts,
  (
    SELECT r.switch_out_wait_reason FROM etw_run AS r
    WHERE r.utid = p.utid AND r.te = p.blocked_ts
  ) AS wait_reason,
  waker_utid,
  nullif(
    ifnull(
      _etw_exiting_at!(p.waker_utid, p.ready_ts),
      (
        SELECT _etw_exiting_at!(a.waker_utid, a.ts) FROM etw_ready_wait AS a
        WHERE a.utid = p.waker_utid AND a.ts = p.through_ts
      )
    ),
    upid
  ) AS before_upid
FROM passed AS p
ORDER BY ready_ts;

-- Exits that the one before let go, by the queue that they stood in. Exits whose waits and ends overlap are of one queue.
CREATE PERFETTO VIEW etw_process_exit_queue(
  -- Timestamp since which the last thread was blocked, as in `etw_process_exit_wait`.
  ts TIMESTAMP,
  -- Timestamp at which the process is gone, as in `etw_process_exit`.
  te TIMESTAMP,
  -- The process that ends.
  upid LONG,
  -- Its thread that waited.
  utid LONG,
  -- Why it waited, as in `etw_process_exit_wait`.
  wait_reason STRING,
  -- Number of the queue: queues count from 1, in the order of time.
  queue LONG
) AS
WITH
  queued AS (
    SELECT
      w.ts, x.te, w.upid, w.utid, w.wait_reason,
      MAX(x.te) OVER (ORDER BY w.ts, x.te ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_te
    FROM etw_process_exit_wait AS w
    JOIN etw_process_exit AS x USING (upid)
    WHERE w.before_upid IS NOT NULL
  )
SELECT
  ts, te, upid, utid, wait_reason,
  SUM(iif(ts <= before_te, 0, 1)) OVER (ORDER BY ts, te) AS queue
FROM queued;
