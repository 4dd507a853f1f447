-- Context switches by bucket, CPU and thread, in the first :window_ns of each of :buckets buckets: from the engine's own table.
WITH RECURSIVE
  bucket(number, ts) AS (
    SELECT 0, :range_start
    UNION ALL
    SELECT number + 1, ts + :bucket_ns FROM bucket WHERE number + 1 < :buckets
  )
SELECT b.number AS bucket, s.ucpu AS cpu, s.utid, COUNT(*) AS switches, SUM(max(s.dur, 0)) AS ran_ns
FROM bucket AS b
CROSS JOIN __intrinsic_sched_slice AS s
WHERE s.ts >= b.ts AND s.ts < min(b.ts + :window_ns, :range_end)
GROUP BY b.number, s.ucpu, s.utid;
