-- Who ended the longest ready wait after a wake in the range in view, who had woken that thread, and so on, back in time.
WITH RECURSIVE
  longest AS (
    SELECT ts, utid, waker_utid
    FROM etw_ready_wait
    WHERE cause = 'wake' AND ts < :range_end AND te > :range_start
    ORDER BY dur DESC
    LIMIT 1
  ),
  chain AS (
    SELECT 0 AS step, ts, utid, waker_utid FROM longest
    UNION ALL
    SELECT c.step + 1, w.ts, w.utid, w.waker_utid
    FROM chain AS c
    JOIN etw_ready_wait AS w
      ON w.utid = c.waker_utid
      AND w.ts = (
        SELECT MAX(b.ts) FROM etw_ready_wait AS b WHERE b.utid = c.waker_utid AND b.cause = 'wake' AND b.ts < c.ts
      )
    WHERE c.step < 20
  )
SELECT
  c.step, c.ts, t.process_name AS process, t.tid, t.name AS thread, k.process_name AS waker_process, k.tid AS waker_tid
FROM chain AS c
JOIN etw_thread AS t USING (utid)
LEFT JOIN etw_thread AS k ON k.utid = c.waker_utid
ORDER BY c.step;
