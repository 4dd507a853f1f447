-- What happened around each of some changes of rank, in their order.
WITH
  c AS (SELECT value ->> 0 AS ts, value ->> 1 AS dur, value ->> 2 AS upid, key FROM json_each(:changes))
SELECT
  (
    SELECT group_concat(DISTINCT p.name)
    FROM etw_focus AS f
    JOIN etw_process AS p USING (upid)
    WHERE f.ts <= c.ts AND f.ts + f.dur > c.ts
  ) AS focus,
  (
    SELECT SUM(min(f.ts + f.dur, c.ts + c.dur) - max(f.ts, c.ts))
    FROM etw_process_freeze AS f
    WHERE f.upid = c.upid AND f.ts < c.ts + c.dur AND f.ts + f.dur > c.ts
  ) AS frozen_ns,
  (
    SELECT SUM(min(s.ts + s.dur, c.ts + c.dur) - max(s.ts, c.ts))
    FROM etw_suspend AS s
    WHERE s.ts < c.ts + c.dur AND s.ts + s.dur > c.ts
  ) AS asleep_ns
FROM c
ORDER BY c.key;
