-- @title CPU taken by another thread
-- @means One thread put another one aside again and again, and that one was ready until it ran again.
-- @matters The thread that was put aside had work to do, and was in the midst of it. Which of the two goes first is a matter of rank,
--   and then of priority.
-- @lost How long the thread was ready after that thread took its CPU.
-- @threshold 20 %: a fifth of the recording, and 100 ms, of a thread of priority 8 or more
-- @needs ready_waits
-- @measure preempted
-- @not_said That the one thread ran all the time in which the other one waited: others may have run, too.
-- @decide ranks: whether rank or priority let the other one go first
-- @sentence {by} took the CPU of {thread} {times:count} {times:time|times}, which was ready for {ready_ns:duration} in all until it ran
--   again; in the longest, of {dur:duration}, priority {by_priority} put priority {priority} aside[, rank {by_rank} put rank
--   {rank} aside].
-- @proof ready-latency wait_ts={ts} wait_tid={tid}

SELECT
  p.ts, p.dur, p.utid, NULL AS upid,
  p.ready_ns / 1e9 AS seconds_lost,
  p.ready_ns, p.times, p.priority, p.by_priority, p.rank, p.by_rank,
  etw_thread_label(p.by_utid) AS by
FROM preempted AS p
JOIN etw_trace AS t
WHERE
  p.priority >= 8 AND p.ready_ns >= 100000000 AND p.ready_ns >= :threshold * (t.end_ts - t.start_ts);
