-- Runs long enough to be seen one by one, and the sums of the shorter ones in steps of :step_ns.
WITH
  short AS (
    SELECT cpu, (ts + dur / 2 - :span_start) / :step_ns AS step, standing, SUM(dur) AS ran_ns
    FROM _ready_latency_run
    WHERE dur < :step_ns / 2
    GROUP BY cpu, step, standing
  )
SELECT
  r.cpu, r.ts, r.dur, r.dur AS ran_ns, r.standing, 1 AS single, r.priority, r.rank,
  t.tid, t.process_name AS process
FROM _ready_latency_run AS r
LEFT JOIN etw_thread AS t USING (utid)
WHERE r.dur >= :step_ns / 2
UNION ALL
SELECT
  cpu, :span_start + step * :step_ns, :step_ns, ran_ns, standing, 0, NULL, NULL, NULL, NULL
FROM short
ORDER BY 1, 2;
