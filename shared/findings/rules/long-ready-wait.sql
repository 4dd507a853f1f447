-- @title Long ready wait
-- @means A thread of normal or higher priority was ready to run, at rank 0, and did not for long.
-- @matters Whatever the thread was readied for waits as long. Usual reasons are threads of higher priority, too few CPUs,
--   interrupts, or a stack that had to be read back into memory: the proof divides the wait among them.
-- @lost How long the thread was ready in such waits; where many threads were readied together, the longest of their waits.
-- @threshold 100 ms: longer than that, a user sees a delay (web.dev/articles/rail)
-- @needs ready_waits
-- @not_said Why the thread waited so long: the proof divides the wait among its causes.
-- @decide interrupts: whether DPCs or interrupts held the CPU
-- @decide affinities: whether the thread may run on the CPUs that were free
-- @sentence {thread} was ready for {dur:duration} at priority {priority} before it ran[; with {more_waits:count} more such
--   {more_waits:wait|waits}, {lost_ns:duration} in all][; so were {others:count} more threads, of {processes:count}
--   {processes:process|processes} in all, which {waker} readied with it within {readied_ns:duration}].
-- @proof ready-latency wait_ts={ts} wait_tid={tid}

WITH
  wait AS (
    SELECT ts, dur, utid, priority, waker_utid, LAG(ts) OVER (PARTITION BY waker_utid ORDER BY ts) AS before_ts
    FROM etw_ready_wait
    -- 8 is the base priority of a normal thread in a normal process.
    WHERE dur >= :threshold AND ifnull(rank, 0) = 0 AND priority >= 8
  ),
  numbered AS (
    SELECT *, SUM(iif(ts - before_ts < 1000000, 0, 1)) OVER (PARTITION BY waker_utid ORDER BY ts) AS moment
    FROM wait
  ),
  -- As in the rule of release moments: what ten or more threads wait for after one release is one thing.
  release AS (
    SELECT
      waker_utid, moment,
      COUNT(DISTINCT utid) AS threads,
      COUNT(DISTINCT upid) AS processes,
      MAX(ts) - MIN(ts) AS readied_ns
    FROM numbered
    LEFT JOIN etw_thread AS t USING (utid)
    WHERE waker_utid IS NOT NULL
    GROUP BY waker_utid, moment
    HAVING COUNT(DISTINCT utid) >= 10
  ),
  -- SQLite takes the other columns from the row of the MAX: the longest wait.
  story AS (
    SELECT
      n.ts, MAX(n.dur) AS dur, n.utid, n.priority, n.waker_utid,
      SUM(n.dur) AS sum_ns,
      COUNT(*) AS waits,
      r.threads, r.processes, r.readied_ns
    FROM numbered AS n
    LEFT JOIN release AS r USING (waker_utid, moment)
    GROUP BY r.waker_utid, r.moment, iif(r.threads IS NULL, n.utid, NULL)
  )
SELECT
  s.ts, s.dur, s.utid, NULL AS upid,
  iif(threads IS NULL, sum_ns, dur) / 1e9 AS seconds_lost,
  sum_ns AS lost_ns,
  priority,
  iif(threads IS NULL, nullif(waits - 1, 0), NULL) AS more_waits,
  threads - 1 AS others,
  processes,
  readied_ns,
  ifnull(t.process_name, 'unknown process') || ' (tid ' || t.tid || ')' AS waker
FROM story AS s
LEFT JOIN etw_thread AS t ON t.utid = s.waker_utid;
