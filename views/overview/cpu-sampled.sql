-- CPU time by process in the first :window_ns of each of :buckets steps of time, from the scheduling slices themselves: no
-- table has to be built for it.
CREATE OR REPLACE PERFETTO TABLE _overview_long_slice AS
SELECT ts, iif(dur < 0, trace_end(), ts + dur) AS te, utid
FROM __intrinsic_sched_slice
WHERE dur >= 10000000 OR dur < 0
ORDER BY ts;

WITH RECURSIVE
  bucket(number, ts) AS (
    SELECT 0, :range_start
    UNION ALL
    SELECT number + 1, ts + :bucket_ns FROM bucket WHERE number + 1 < :buckets
  ),
  -- A slice shorter than 10 ms that runs at a step's start began less than that before; longer ones are few.
  ran AS (
    SELECT
      b.number, s.utid,
      min(iif(s.dur < 0, trace_end(), s.ts + s.dur), b.ts + :window_ns) - s.ts AS ran_ns
    FROM bucket AS b
    CROSS JOIN __intrinsic_sched_slice AS s
    WHERE s.ts >= b.ts AND s.ts < b.ts + :window_ns
    UNION ALL
    SELECT b.number, s.utid, min(s.ts + s.dur, b.ts + :window_ns) - b.ts
    FROM bucket AS b
    CROSS JOIN __intrinsic_sched_slice AS s
    WHERE s.ts > b.ts - 10000000 AND s.ts < b.ts AND s.dur >= 0 AND s.dur < 10000000 AND s.ts + s.dur > b.ts
    UNION ALL
    SELECT b.number, s.utid, min(s.te, b.ts + :window_ns) - b.ts
    FROM bucket AS b
    CROSS JOIN _overview_long_slice AS s
    WHERE s.ts < b.ts AND s.te > b.ts
  )
SELECT r.number, t.upid, SUM(r.ran_ns) AS ran_ns
FROM ran AS r
LEFT JOIN thread AS t ON t.utid = r.utid
WHERE r.utid != 0
GROUP BY r.number, t.upid;
