-- @title Long ready wait
-- @means A thread of normal or higher priority was ready to run, at rank 0, and did not for long.
-- @matters Whatever the thread was readied for waits as long. Usual reasons are threads of higher priority, too few CPUs,
--   interrupts, or a stack that had to be read back into memory: the proof divides the wait among them.
-- @lost How long the thread was ready in such waits.
-- @threshold 100 ms: longer than that, a user sees a delay (web.dev/articles/rail)
-- @needs etw_ready_wait: the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile)
-- @sentence {thread} was ready for {dur:duration} at priority {priority} before it ran[; with {more_waits:count} more such
--   {more_waits:wait|waits}, {lost_ns:duration} in all].
-- @proof ready-latency wait_ts={ts} wait_tid={tid}

-- SQLite takes the other columns from the row of the MAX: the thread's longest wait.
SELECT
  ts, MAX(dur) AS dur, utid, NULL AS upid,
  SUM(dur) / 1e9 AS seconds_lost,
  SUM(dur) AS lost_ns,
  priority,
  nullif(COUNT(*) - 1, 0) AS more_waits
FROM etw_ready_wait
-- 8 is the base priority of a normal thread in a normal process.
WHERE dur >= :threshold AND ifnull(rank, 0) = 0 AND priority >= 8
GROUP BY utid;
