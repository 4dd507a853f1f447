-- The threads longest at a rank above 0, and what they did there.
WITH
  longest AS (SELECT * FROM _rank_history_thread ORDER BY ranked_ns DESC, utid LIMIT :max_lanes)
SELECT
  l.utid, l.ranked_ns, l.highest_rank,
  t.tid, t.name AS thread, t.pid, t.process_name AS process,
  (SELECT COUNT(*) FROM _rank_history_thread) AS thread_count,
  (
    SELECT SUM(min(r.te, :range_end) - max(r.ts, :range_start))
    FROM etw_run AS r
    WHERE r.utid = l.utid AND r.rank > 0 AND r.ts < :range_end AND r.te > :range_start
  ) AS ran_ns,
  (
    SELECT SUM(min(w.te, :range_end) - max(w.ts, :range_start))
    FROM etw_ready_wait AS w
    WHERE w.utid = l.utid AND w.rank > 0 AND w.ts < :range_end AND w.te > :range_start
  ) AS ready_ns,
  (
    SELECT MAX(w.dur)
    FROM etw_ready_wait AS w
    WHERE w.utid = l.utid AND w.rank > 0 AND w.ts < :range_end AND w.te > :range_start
  ) AS longest_ready_ns
FROM longest AS l
LEFT JOIN etw_thread AS t USING (utid)
ORDER BY l.ranked_ns DESC, l.utid;
