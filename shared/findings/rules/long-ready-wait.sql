-- @title Long ready wait
-- @means A thread of normal or higher priority was ready to run, at rank 0, and did not for long.
-- @matters Whatever the thread was readied for waits as long. Usual reasons are threads of higher priority, too few CPUs,
--   interrupts, or a stack that had to be read back into memory: the proof divides the wait among them.
-- @lost How long the thread was ready in such waits; where many threads were readied together, the longest of their waits.
-- @threshold 100 ms: longer than that, a user sees a delay (web.dev/articles/rail)
-- @needs ready_waits
-- @measure late
-- @not_said Why the thread waited so long: the proof divides the wait among its causes.
-- @decide interrupts: whether DPCs or interrupts held the CPU
-- @decide affinities: whether the thread may run on the CPUs that were free
-- @sentence {thread} was ready for {dur:duration} at priority {priority} before it ran[; with {more_waits:count} more such
--   {more_waits:wait|waits}, {lost_ns:duration} in all][; so were {others:count} more threads, of {processes:count}
--   {processes:process|processes} in all, which {waker} readied with it within {readied_ns:duration}].
-- @proof ready-latency wait_ts={ts} wait_tid={tid}

SELECT
  l.ts, l.dur, l.utid, NULL AS upid,
  iif(others IS NULL, sum_ns, dur) / 1e9 AS seconds_lost,
  sum_ns AS lost_ns,
  priority,
  nullif(more_waits, 0) AS more_waits,
  others, processes, readied_ns,
  etw_thread_label(l.waker_utid) AS waker
FROM late AS l
WHERE l.dur >= :threshold;
