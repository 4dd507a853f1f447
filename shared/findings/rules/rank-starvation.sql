-- @title Rank starvation
-- @means A thread was ready to run and did not, because its rank was above 0: threads of a better rank ran instead,
--   although their priority was lower.
-- @matters Windows runs a thread of rank 2 only when no thread of rank 0 wants to run, whatever their priorities. On a busy
--   machine such a thread, and all that waits for it, can stand still for many seconds.
-- @lost How long the thread was ready in such waits.
-- @threshold 100 ms: longer than that, a user sees a delay (web.dev/articles/rail)
-- @needs ready_waits
-- @needs ranks
-- @measure outranked
-- @not_said Why the thread has this rank: Windows records ranks, and not who sets them.
-- @decide focus: whether the process lost the focus before
-- @decide freezes: whether the process was frozen, too
-- @sentence {thread} was ready for {dur:duration} at rank {rank} and priority {priority}[ (rank {rank_after} at the end of
--   its next run)], while threads of a better rank and a lower priority ran for at least {outranked_ns:duration} of CPU
--   time[; with {more_waits:count} more such {more_waits:wait|waits}, {lost_ns:duration} in all].
-- @proof ready-latency wait_ts={ts} wait_tid={tid}

SELECT
  ts, dur, utid, NULL AS upid,
  lost_ns / 1e9 AS seconds_lost,
  lost_ns, rank, priority,
  nullif(rank_after, rank) AS rank_after,
  nullif(waits - 1, 0) AS more_waits,
  outranked_ns
FROM outranked
-- For half of the wait at least one CPU ran what rank alone put first.
WHERE dur >= :threshold AND outranked_ns * 2 >= dur;
