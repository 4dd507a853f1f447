-- What ran during the longest ready wait of the range in view, at which priority and rank. -- if no tid
-- What ran during the chosen delay, at which priority and rank. -- if tid
WITH
  delay AS (
    SELECT ts, te FROM etw_ready_wait WHERE ts < :range_end AND te > :range_start ORDER BY dur DESC LIMIT 1 -- if no tid
    SELECT -- if tid
      :from_ns AS ts, -- if tid
      :range_start AS ts, -- if tid and no from_ns
      :to_ns AS te -- if tid
      :range_end AS te -- if tid and no to_ns
  )
SELECT
  t.process_name AS process, t.tid, t.name AS thread, r.priority, r.rank,
  SUM(MIN(r.te, d.te) - MAX(r.ts, d.ts)) AS ran_ns
FROM delay AS d
JOIN etw_run AS r ON r.ts < d.te AND r.te > d.ts
JOIN etw_thread AS t ON t.utid = r.utid
WHERE r.utid != 0
GROUP BY r.utid, r.priority, r.rank
ORDER BY ran_ns DESC;
