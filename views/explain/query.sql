-- What ran during the longest ready wait of the range in view, at which priority and rank.
WITH
  longest AS (
    SELECT ts, te FROM etw_ready_wait WHERE ts < :range_end AND te > :range_start ORDER BY dur DESC LIMIT 1
  )
SELECT
  t.process_name AS process, t.tid, t.name AS thread, r.priority, r.rank,
  SUM(MIN(r.te, w.te) - MAX(r.ts, w.ts)) AS ran_ns
FROM longest AS w
JOIN etw_run AS r ON r.ts < w.te AND r.te > w.ts
JOIN etw_thread AS t ON t.utid = r.utid
WHERE r.utid != 0
GROUP BY r.utid, r.priority, r.rank
ORDER BY ran_ns DESC;
