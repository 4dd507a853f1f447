-- @title Rank starvation
-- @means A thread was ready to run and did not, because its rank was above 0: threads of a better rank ran instead,
--   although their priority was lower.
-- @matters Windows runs a thread of rank 2 only when no thread of rank 0 wants to run, whatever their priorities. On a busy
--   machine such a thread, and all that waits for it, can stand still for many seconds.
-- @lost How long the thread was ready in such waits.
-- @threshold 100 ms: longer than that, a user sees a delay (web.dev/articles/rail)
-- @needs ready_waits
-- @needs ranks
-- @not_said Why the thread has this rank: Windows records ranks, and not who sets them.
-- @decide focus: whether the process lost the focus before
-- @decide freezes: whether the process was frozen, too
-- @sentence {thread} was ready for {dur:duration} at rank {rank} and priority {priority}[ (rank {rank_after} at the end of
--   its next run)], while threads of a better rank and a lower priority ran for at least {outranked_ns:duration} of CPU
--   time[; with {more_waits:count} more such {more_waits:wait|waits}, {lost_ns:duration} in all].
-- @proof ready-latency wait_ts={ts} wait_tid={tid}

WITH
  -- SQLite takes the other columns from the row of the MAX: the thread's longest wait.
  thread AS (
    SELECT utid, ts, te, rank, rank_after, priority, MAX(dur) AS dur, SUM(dur) AS lost_ns, COUNT(*) AS waits
    FROM etw_ready_wait
    WHERE dur >= :threshold AND rank > 0
    GROUP BY utid
    ORDER BY lost_ns DESC
    -- One more than are listed, so that it is told where there are more.
    LIMIT 51
  ),
  step AS (SELECT ifnull(MAX(dur), 0) AS dur FROM (SELECT dur FROM etw_cpu_time LIMIT 1)),
  -- Of a long wait the steps of time within it, which are summed already; of a short one all of it.
  ran AS (
    SELECT w.utid, w.rank, w.priority, c.utid AS ran_utid, c.rank AS ran_rank, c.priority AS ran_priority, c.ran_ns
    FROM thread AS w
    CROSS JOIN step AS s
    CROSS JOIN etw_cpu_time AS c ON c.ts >= w.ts AND c.ts <= w.te - s.dur
    WHERE w.dur >= 20 * s.dur
    UNION ALL
    SELECT w.utid, w.rank, w.priority, c.utid, c.rank, c.priority, c.ran_ns
    FROM thread AS w
    CROSS JOIN step AS s
    CROSS JOIN etw_cpu_time_between(w.ts, w.te) AS c
    WHERE w.dur < 20 * s.dur
  ),
  outranked AS (
    SELECT utid, SUM(ran_ns) AS outranked_ns
    FROM ran
    WHERE ran_utid != 0 AND ran_rank < rank AND ran_priority < priority
    GROUP BY utid
  )
SELECT
  w.ts, w.dur, w.utid, NULL AS upid,
  w.lost_ns / 1e9 AS seconds_lost,
  w.lost_ns, w.rank, w.priority,
  nullif(w.rank_after, w.rank) AS rank_after,
  nullif(w.waits - 1, 0) AS more_waits,
  o.outranked_ns
FROM thread AS w
JOIN outranked AS o USING (utid)
-- For half of the wait at least one CPU ran what rank alone put first.
WHERE o.outranked_ns * 2 >= w.dur;
