-- The ranks of the threads over time (`rank`), and their ready waits that are long enough to be seen (`ready`).
WITH
  longest AS (SELECT utid FROM _rank_history_thread ORDER BY ranked_ns DESC, utid LIMIT :max_lanes)
SELECT 'rank' AS kind, r.utid, r.ts, r.dur, r.rank
FROM etw_thread_rank AS r
WHERE r.utid IN longest AND r.ts < :range_end AND r.ts + r.dur > :range_start
UNION ALL
SELECT 'ready', w.utid, w.ts, w.dur, w.rank
FROM longest AS l
CROSS JOIN etw_ready_wait AS w ON w.utid = l.utid
WHERE w.rank > 0 AND w.ts < :range_end AND w.te > :range_start AND w.dur >= :shortest_ns
ORDER BY 3
LIMIT :max_spans;
