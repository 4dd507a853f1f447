-- CPU time by thread, rank and priority.
WITH
  ran AS (
    SELECT utid, rank, priority, standing, SUM(dur) AS ran_ns, COUNT(*) AS runs
    FROM _ready_latency_run
    GROUP BY utid, rank, priority, standing
  )
SELECT
  ran.utid, ran.rank, ran.priority, ran.standing, ran.ran_ns, ran.runs,
  t.tid, t.name AS thread, t.pid, t.process_name AS process
FROM ran
LEFT JOIN etw_thread AS t USING (utid)
ORDER BY ran.ran_ns DESC;
