-- The waits that ended in the range, blocked or ready for :at_least_ns or more, in the order of their ends.
CREATE OR REPLACE PERFETTO TABLE _release_moments_wait AS
WITH
  -- Threads that were there before the trace, and had not run in it when they were first woken.
  first AS (
    SELECT w.ts, w.utid
    FROM etw_thread AS t
    CROSS JOIN etw_ready_wait AS w
    WHERE
      t.create_ts IS NULL
      AND w.utid = t.utid
      AND w.ts = (SELECT f.ts FROM etw_ready_wait AS f WHERE f.utid = t.utid ORDER BY f.ts LIMIT 1)
      AND w.cause = 'wake'
      AND NOT EXISTS (SELECT 1 FROM etw_run AS r WHERE r.utid = t.utid AND r.ts < w.ts)
  ),
  waits AS (
    SELECT w.te, w.ts AS ready_ts, w.utid, w.waker_utid, w.cause, w.te - s.ts AS waited_ns, 0 AS at_least
    FROM thread_state AS s
    CROSS JOIN etw_ready_wait AS w
    WHERE
      s.state = 'Waiting'
      AND s.dur >= :at_least_ns
      AND s.ts < :range_end
      AND w.ts = s.ts + s.dur
      AND +w.utid = s.utid
      AND w.cpu IS NOT NULL
    UNION ALL
    SELECT
      w.te, w.ts, w.utid, w.waker_utid, w.cause,
      w.te - (SELECT start_ts FROM etw_trace),
      1
    FROM first AS f
    CROSS JOIN etw_ready_wait AS w
    WHERE w.ts = f.ts AND w.utid = f.utid AND w.cpu IS NOT NULL
    UNION ALL
    -- Ready for long after being blocked for less, or not at all.
    SELECT
      w.te, w.ts, w.utid, w.waker_utid, w.cause,
      w.dur + ifnull(h.blocked_ns, 0),
      0
    FROM etw_ready_wait AS w
    CROSS JOIN etw_ready_wait_history AS h
    WHERE
      w.dur >= :at_least_ns
      AND w.cpu IS NOT NULL
      AND h.ts = w.ts
      AND h.utid = w.utid
      AND ifnull(h.blocked_ns, 0) < iif(h.last_state = 'Waiting', :at_least_ns, 1)
      AND w.ts NOT IN (SELECT ts FROM first)
  )
SELECT te, ready_ts, utid, waker_utid, cause, waited_ns, at_least, te / :bucket_ns AS bucket
FROM waits
WHERE te >= :range_start AND te < :range_end AND waited_ns >= :at_least_ns
ORDER BY te;
