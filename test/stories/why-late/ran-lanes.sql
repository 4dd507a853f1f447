-- Runs long enough to be seen one by one, and the sums of the shorter ones in steps of :step_ns. Of the shorter ones one
-- in :every is taken, and counts that often; the prime keeps the choice apart from any timer's beat.
WITH
  short AS (
    SELECT
      cpu,
      (ts + dur / 2 - :span_start) / :step_ns AS step,
      _why_late_standing!(utid, rank, priority, :wait_rank, :wait_priority) AS standing,
      SUM(dur) * :every AS ran_ns
    FROM etw_ran_between(:span_start, :span_end)
    WHERE dur < :step_ns / 2 AND ts % 1000003 % :every = 0
    GROUP BY 1, 2, 3
  )
SELECT
  r.cpu, r.ts, r.dur, r.dur AS ran_ns,
  _why_late_standing!(r.utid, r.rank, r.priority, :wait_rank, :wait_priority) AS standing,
  1 AS single, r.priority, r.rank, t.tid, t.process_name AS process
FROM etw_ran_between(:span_start, :span_end) AS r
LEFT JOIN etw_thread AS t USING (utid)
WHERE r.dur >= :step_ns / 2
UNION ALL
SELECT
  cpu, :span_start + step * :step_ns, :step_ns, ran_ns, standing, 0, NULL, NULL, NULL, NULL
FROM short
ORDER BY 1, 2;
