-- @title Release moment
-- @means One thread set many others free at once: threads that had been blocked for a second or more became ready one after
--   the other, all by that thread, without a pause of 1 ms in which it could run.
-- @matters This is how a lock looks that was held for long, and a chain of wakes that begins with its release. What the
--   releasing thread did before is what they all waited for.
-- @lost The longest of these waits; where it began before the trace, at least that.
-- @threshold 10 threads: fewer are common where a thread pool is given work
-- @needs ready_waits
-- @not_said What the lock is: that one thread woke the others is recorded, and not what they waited for.
-- @decide stacks: which code ran while the others waited
-- @decide user_locks: whether it was the lock of the window manager
-- @sentence {thread}[, for {service},] set {threads:count} threads of {processes:count} {processes:process|processes} free within
--   {dur:duration}; the longest of them had been blocked for {longest_ns:duration}.
-- @proof wake-chain direction=forward ts={ts} tid={tid}

WITH
  first AS (
    -- SQLite takes the other columns from the row of the MIN: the first wait of a thread that was not switched out before.
    SELECT utid, MIN(ts) AS ts, waker_utid
    FROM etw_ready_wait
    WHERE last_switch_out_ts IS NULL
    GROUP BY utid
  ),
  blocked AS (
    SELECT ts AS te, ts - last_switch_out_ts AS dur, utid, waker_utid
    FROM etw_ready_wait
    WHERE cause = 'wake' AND ts - last_switch_out_ts >= 1000000000
    UNION ALL
    -- Threads that were blocked since before the trace.
    SELECT first.ts AS te, first.ts - t.start_ts AS dur, first.utid, first.waker_utid
    FROM first
    JOIN etw_thread AS h ON h.utid = first.utid
    JOIN etw_trace AS t
    WHERE
      h.create_ts IS NULL
      AND first.ts - t.start_ts >= 1000000000
      AND NOT EXISTS (SELECT 1 FROM etw_run AS r WHERE r.utid = first.utid AND r.ts < first.ts)
  ),
  released AS (
    SELECT b.te, b.dur, b.utid, h.upid, b.waker_utid
    FROM blocked AS b
    LEFT JOIN etw_thread AS h ON h.utid = b.utid
    WHERE b.waker_utid IS NOT NULL
  ),
  following AS (
    SELECT *, LAG(te) OVER (PARTITION BY waker_utid ORDER BY te) AS before_te
    FROM released
  ),
  -- A pause is no pause while those that it woke keep the releasing thread from its CPU.
  numbered AS (
    SELECT
      *,
      SUM(
        iif(
          te - before_te < 1000000
            OR te - before_te - (
              SELECT ifnull(SUM(min(p.te, f.te) - p.ts), 0) FROM etw_ready_wait AS p
              WHERE p.utid = f.waker_utid AND p.ts >= f.before_te AND p.ts < f.te AND p.cause = 'preempted'
            ) < 1000000,
          0,
          1
        )
      ) OVER (PARTITION BY waker_utid ORDER BY te) AS moment
    FROM following AS f
  ),
  moments AS (
    SELECT
      MIN(te) AS ts, MAX(te) - MIN(te) AS dur, waker_utid AS utid,
      MAX(dur) AS longest_ns,
      COUNT(DISTINCT utid) AS threads,
      COUNT(DISTINCT upid) AS processes
    FROM numbered
    GROUP BY waker_utid, moment
    HAVING COUNT(DISTINCT utid) >= :threshold
  )
SELECT
  m.*, NULL AS upid,
  m.longest_ns / 1e9 AS seconds_lost,
  ifnull(h.service, p.services) AS service
FROM moments AS m
LEFT JOIN etw_thread AS h ON h.utid = m.utid
LEFT JOIN etw_process AS p ON p.upid = h.upid;
