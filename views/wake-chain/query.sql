-- Who ended the longest ready wait after a wake in the range in view, who had woken that thread, and so on, back in time. -- if no tid
-- Who woke the chosen thread last, who had woken that one, and so on, back in time. -- if tid
-- What it set free are the waits that have it as their waker. -- if direction
WITH RECURSIVE
  first AS (
    SELECT w.ts, w.utid, w.waker_utid
    FROM etw_ready_wait AS w
    JOIN etw_thread AS t USING (utid) -- if tid
    WHERE w.cause = 'wake' AND w.ts < :range_end AND w.te > :range_start -- if no tid
    WHERE w.cause = 'wake' AND t.tid = :tid
      AND w.ts <= :ts -- if tid
    ORDER BY w.dur DESC -- if no tid
    ORDER BY w.ts DESC -- if tid
    LIMIT 1
  ),
  chain AS (
    SELECT 0 AS step, ts, utid, waker_utid FROM first
    UNION ALL
    SELECT c.step + 1, w.ts, w.utid, w.waker_utid
    FROM chain AS c
    JOIN etw_ready_wait AS w
      ON w.utid = c.waker_utid
      AND w.ts = (
        SELECT MAX(b.ts) FROM etw_ready_wait AS b WHERE b.utid = c.waker_utid AND b.cause = 'wake' AND b.ts < c.ts
      )
    WHERE c.step < :depth
  )
SELECT
  c.step, c.ts, t.process_name AS process, t.tid, t.name AS thread, k.process_name AS waker_process, k.tid AS waker_tid
FROM chain AS c
JOIN etw_thread AS t USING (utid)
LEFT JOIN etw_thread AS k ON k.utid = c.waker_utid
ORDER BY c.step;
