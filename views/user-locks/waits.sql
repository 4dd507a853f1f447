-- The longest waits, and of each the thread that held the lock longest meanwhile, with what that did. A hold of less than a
-- hundredth of the wait does not count. `+` has runs and ready waits found by their time: the holder may have a million.
WITH
  picked AS MATERIALIZED (
    SELECT ts, dur, utid, iif(is_shared, 'share', 'have alone') AS wants
    FROM etw_user_lock_wait
    WHERE
      ts < :range_end AND ts + dur > :range_start AND dur > 0
      AND (:utids IS NULL OR utid IN (SELECT value FROM json_each(:utids)))
    ORDER BY dur DESC, ts, utid
    LIMIT :limit
  ),
  held AS MATERIALIZED (
    SELECT p.ts, p.utid, h.utid AS holder, max(p.ts, h.ts) AS from_ts, min(p.ts + p.dur, h.ts + h.dur) AS to_ts
    FROM (SELECT MAX(dur) AS dur FROM etw_user_lock_hold) AS reach
    CROSS JOIN picked AS p
    CROSS JOIN etw_user_lock_hold AS h ON h.ts < p.ts + p.dur AND h.ts > p.ts - reach.dur
    WHERE h.ts + h.dur > p.ts AND h.utid != p.utid AND h.dur * 100 >= p.dur
  ),
  holder AS (
    SELECT
      ts, utid, holder,
      SUM(to_ts - from_ts) AS held_ns,
      SUM((
        SELECT SUM(min(r.te, h.to_ts) - max(r.ts, h.from_ts))
        FROM etw_run AS r
        WHERE +r.utid = h.holder AND r.ts < h.to_ts AND r.te > h.from_ts
      )) AS ran_ns,
      SUM((
        SELECT SUM(min(w.te, h.to_ts) - max(w.ts, h.from_ts))
        FROM etw_ready_wait AS w
        WHERE +w.utid = h.holder AND w.ts < h.to_ts AND w.te > h.from_ts
      )) AS ready_ns
    FROM held AS h
    GROUP BY ts, utid, holder
  )
-- SQLite takes the other columns from the row of the MAX.
SELECT p.*, h.holder, MAX(h.held_ns) AS held_ns, h.ran_ns, h.ready_ns
FROM picked AS p
LEFT JOIN holder AS h USING (ts, utid)
GROUP BY p.ts, p.utid
ORDER BY p.dur DESC, p.ts, p.utid;
