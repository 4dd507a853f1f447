-- What ended in the moments listed, and who ended most of it in each. :ends is a JSON array of when the waits of
-- these moments ended, :since_start one of those that had begun before the trace.
WITH
  -- Read twice below, and dear.
  listed AS MATERIALIZED (
    SELECT
      w.te / :bucket_ns AS bucket, w.te, w.ts AS ready_ts, w.utid, w.waker_utid, w.cause, t.upid,
      e.at_least,
      iif(e.at_least, w.te - (SELECT start_ts FROM etw_trace), w.dur + ifnull(b.dur, 0)) AS waited_ns
    FROM (
      SELECT value AS te, 0 AS at_least FROM json_each(:ends)
      UNION ALL
      SELECT value, 1 FROM json_each(:since_start)
    ) AS e
    CROSS JOIN etw_ready_wait AS w
    LEFT JOIN _etw_blocked AS b ON b.te = w.ts AND +b.utid = w.utid
    LEFT JOIN etw_thread AS t ON t.utid = w.utid
    WHERE w.te = e.te AND +w.cpu IS NOT NULL
  ),
  moments AS (
    SELECT
      bucket,
      SUM(waited_ns) AS waited_sum_ns,
      MAX(waited_ns) AS waited_max_ns,
      MAX(at_least) AS at_least,
      COUNT(DISTINCT utid) AS threads,
      COUNT(DISTINCT upid) AS processes
    FROM listed
    GROUP BY bucket
  ),
  -- SQLite takes the other columns from the row of the MAX: the longest wait that this waker ended.
  wakers AS (
    SELECT
      bucket, cause, waker_utid, utid, te, ready_ts,
      SUM(waited_ns) AS released_sum_ns, MAX(waited_ns) AS longest_ns
    FROM listed
    GROUP BY bucket, cause, waker_utid
  ),
  best AS (
    SELECT bucket, cause, waker_utid, utid, te, ready_ts, MAX(released_sum_ns) AS released_sum_ns
    FROM wakers
    GROUP BY bucket
  )
SELECT
  m.*, b.cause, b.released_sum_ns,
  w.tid AS waker_tid, w.process_name AS waker_process,
  -- Where no thread woke it, the thread that had waited longest is the one to look at.
  iif(
    b.waker_utid IS NULL,
    b.te,
    (
      SELECT r.ts FROM etw_run AS r
      WHERE r.utid = b.waker_utid AND r.ts < b.ready_ts
      ORDER BY r.ts DESC
      LIMIT 1
    )
  ) AS run_ts,
  ifnull(w.tid, t.tid) AS run_tid,
  iif(b.waker_utid IS NULL, t.pid, w.pid) AS run_pid
FROM moments AS m
JOIN best AS b USING (bucket)
LEFT JOIN etw_thread AS w ON w.utid = b.waker_utid
LEFT JOIN etw_thread AS t ON t.utid = b.utid
ORDER BY m.waited_sum_ns DESC, m.bucket;
