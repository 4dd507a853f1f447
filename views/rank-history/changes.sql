-- The changes of rank in the range, with what happened around each.
WITH
  changed AS (
    SELECT r.*
    FROM etw_thread_rank AS r
    JOIN _rank_history_thread AS p USING (utid)
    WHERE r.reason = 'changed' AND r.ts >= :range_start AND r.ts < :range_end
  ),
  first AS (SELECT * FROM changed ORDER BY ts LIMIT :max_rows)
SELECT
  c.ts, c.dur, c.rank, c.last_rank, c.changed_after_ts,
  t.tid, t.name AS thread, t.pid, t.process_name AS process,
  (SELECT COUNT(*) FROM changed) AS change_count,
  (
    SELECT SUM(min(r.te, c.ts) - max(r.ts, c.ts - 1000000000))
    FROM etw_run AS r
    WHERE r.utid = c.utid AND r.ts < c.ts AND r.te > c.ts - 1000000000
  ) AS ran_before_ns,
  (
    SELECT SUM(min(w.te, c.ts + c.dur) - max(w.ts, c.ts))
    FROM etw_ready_wait AS w
    WHERE w.utid = c.utid AND w.ts < c.ts + c.dur AND w.te > c.ts
  ) AS ready_ns,
  (
    SELECT group_concat(DISTINCT p.name)
    FROM etw_focus AS f
    JOIN etw_process AS p USING (upid)
    WHERE f.ts <= c.ts AND f.ts + f.dur > c.ts
  ) AS focus,
  (
    SELECT SUM(min(f.ts + f.dur, c.ts + c.dur) - max(f.ts, c.ts))
    FROM etw_process_freeze AS f
    WHERE f.upid = t.upid AND f.ts < c.ts + c.dur AND f.ts + f.dur > c.ts
  ) AS frozen_ns,
  (
    SELECT SUM(min(s.ts + s.dur, c.ts + c.dur) - max(s.ts, c.ts))
    FROM etw_suspend AS s
    WHERE s.ts < c.ts + c.dur AND s.ts + s.dur > c.ts
  ) AS asleep_ns
FROM first AS c
LEFT JOIN etw_thread AS t ON t.utid = c.utid
ORDER BY c.ts;
