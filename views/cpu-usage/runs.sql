-- CPU time in buckets of :bucket_ns, summed from the runs.
WITH RECURSIVE
  bucket(ts) AS (
    SELECT :range_start
    UNION ALL
    SELECT ts + :bucket_ns FROM bucket WHERE ts + :bucket_ns < :range_end
  )
SELECT b.ts, c.utid, c.priority, c.rank, c.ran_ns
FROM bucket AS b
CROSS JOIN etw_cpu_time_between(b.ts, min(b.ts + :bucket_ns, :range_end)) AS c;
