-- What ended in the moments listed, and who ended most of it in each. :moments is a JSON array of these moments, of each
-- an array of when its waits ended; :since_start one of when those ended that had begun before the trace.
WITH RECURSIVE
  -- Read twice below, and dear.
  listed AS MATERIALIZED (
    SELECT
      e.moment, w.te, w.ts AS ready_ts, w.utid, w.waker_utid, w.cause, t.upid,
      iif(e.at_least, w.te - (SELECT start_ts FROM etw_trace), w.dur + ifnull(b.dur, 0)) AS waited_ns
    FROM (
      SELECT
        m.key AS moment, w.value AS te,
        w.value IN (SELECT value FROM json_each(:since_start)) AS at_least
      FROM json_each(:moments) AS m, json_each(m.value) AS w
    ) AS e
    CROSS JOIN etw_ready_wait AS w
    LEFT JOIN _etw_blocked AS b ON b.te = w.ts AND +b.utid = w.utid
    LEFT JOIN etw_thread AS t ON t.utid = w.utid
    WHERE w.te = e.te AND +w.cpu IS NOT NULL
  ),
  moments AS (
    SELECT
      moment,
      MAX(waited_ns) AS waited_max_ns,
      COUNT(DISTINCT utid) AS threads,
      COUNT(DISTINCT upid) AS processes
    FROM listed
    GROUP BY moment
  ),
  -- SQLite takes the other columns from the row of the MAX: the longest wait that this waker ended.
  wakers AS (
    SELECT
      moment, cause, waker_utid, utid, te, ready_ts,
      SUM(waited_ns) AS released_sum_ns, MAX(waited_ns) AS longest_ns
    FROM listed
    GROUP BY moment, cause, waker_utid
  ),
  best AS (
    SELECT moment, cause, waker_utid, utid, te, ready_ts, MAX(released_sum_ns) AS released_sum_ns
    FROM wakers
    GROUP BY moment
  ),
  -- From who ended most of it to who had woken that one, and so on, while that one too had just waited, for :at_least_ns
  -- and for longer than what it then did until its own wake.
  chain(moment, steps, utid, wake_ts) AS (
    SELECT moment, 0, waker_utid, ready_ts FROM best WHERE waker_utid IS NOT NULL
    UNION ALL
    SELECT c.moment, c.steps + 1, w.waker_utid, w.ts
    FROM chain AS c
    CROSS JOIN etw_ready_wait AS w
    LEFT JOIN _etw_blocked AS b ON b.te = w.ts AND +b.utid = w.utid
    LEFT JOIN etw_thread AS t ON t.utid = w.utid
    WHERE
      c.steps < 100
      AND w.utid = c.utid
      AND w.ts = (
        SELECT a.ts FROM etw_ready_wait AS a
        WHERE a.utid = c.utid AND a.ts < c.wake_ts AND a.cause = 'wake'
        ORDER BY a.ts DESC
        LIMIT 1
      )
      AND w.waker_utid IS NOT NULL
      AND w.dur + ifnull(b.dur, iif(t.create_ts IS NULL, w.ts - (SELECT start_ts FROM etw_trace), 0))
        >= max(:at_least_ns, c.wake_ts - w.te)
  ),
  -- Again the row of the MAX.
  begun AS (SELECT moment, utid, wake_ts, MAX(steps) AS steps FROM chain GROUP BY moment)
SELECT
  m.*, b.cause, b.released_sum_ns,
  w.tid AS waker_tid, w.process_name AS waker_process,
  ifnull(w.service, (SELECT p.services FROM etw_process AS p WHERE p.upid = w.upid)) AS waker_service,
  g.tid AS begun_tid, g.process_name AS begun_process,
  ifnull(g.service, (SELECT p.services FROM etw_process AS p WHERE p.upid = g.upid)) AS begun_service,
  -- Where no thread woke it, the thread that had waited longest is the one to look at.
  iif(
    b.waker_utid IS NULL,
    b.te,
    (
      SELECT r.ts FROM etw_run AS r
      WHERE r.utid = n.utid AND r.ts < n.wake_ts
      ORDER BY r.ts DESC
      LIMIT 1
    )
  ) AS run_ts,
  ifnull(g.tid, t.tid) AS run_tid,
  iif(b.waker_utid IS NULL, t.pid, g.pid) AS run_pid
FROM moments AS m
JOIN best AS b USING (moment)
LEFT JOIN begun AS n USING (moment)
LEFT JOIN etw_thread AS w ON w.utid = b.waker_utid
LEFT JOIN etw_thread AS g ON g.utid = n.utid
LEFT JOIN etw_thread AS t ON t.utid = b.utid
ORDER BY m.moment;
