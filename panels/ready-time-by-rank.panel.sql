-- @title Ready time by rank
-- @description How many threads were ready and did not run, over time, by rank: a thread of rank 2 waits for all of rank 0,
--   whatever its priority.
-- @param at_least number us = 0: Shorter waits are left out.
-- @param priority_min number = 0: Waits at a lower priority are left out.
-- @needs ready_waits
-- @draw area x=bucket_ts y=waiting series=rank
-- @column bucket_ts time: When the bucket of time starts.
-- @column waiting number: Threads that were ready at once, on average: ready time / length of the bucket.
-- @column rank text: The rank of the threads that waited.

WITH RECURSIVE bucket(ts) AS (
  SELECT :range_start
  UNION ALL
  SELECT ts + :bucket_ns FROM bucket WHERE ts + :bucket_ns < :range_end
),
wait AS (
  SELECT
    max(ts, :range_start) AS ts,
    min(te, :range_end) AS te,
    (max(ts, :range_start) - :range_start) / :bucket_ns AS first,
    (min(te, :range_end) - 1 - :range_start) / :bucket_ns AS last,
    ifnull('rank ' || rank, 'rank not recorded') AS rank
  FROM etw_ready_wait
  WHERE te > :range_start AND ts < :range_end AND dur >= :at_least AND priority >= :priority_min
),
-- Most waits lie in one bucket: only the others are cut, which takes a look at every bucket.
part AS (
  SELECT rank, :range_start + first * :bucket_ns AS bucket_ts, te - ts AS ready_ns
  FROM wait
  WHERE first = last
  UNION ALL
  SELECT w.rank, b.ts, min(w.te, b.ts + :bucket_ns) - max(w.ts, b.ts)
  FROM wait AS w
  JOIN bucket AS b ON b.ts > w.ts - :bucket_ns AND b.ts < w.te
  WHERE w.first < w.last
)
SELECT bucket_ts, rank, sum(ready_ns) * 1.0 / :bucket_ns AS waiting
FROM part
GROUP BY bucket_ts, rank
ORDER BY bucket_ts, rank;
