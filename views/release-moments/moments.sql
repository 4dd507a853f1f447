-- The moments in which most waiting ended, and who ended most of it in each.
CREATE OR REPLACE PERFETTO TABLE _release_moments_top AS
SELECT bucket, SUM(waited_ns) AS waited_sum_ns
FROM _release_moments_wait
GROUP BY bucket
ORDER BY waited_sum_ns DESC, bucket
LIMIT :max_rows;

WITH
  listed AS (
    SELECT w.*, t.upid
    FROM _release_moments_wait AS w
    LEFT JOIN etw_thread AS t USING (utid)
    WHERE w.bucket IN (SELECT bucket FROM _release_moments_top)
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
