-- CPU time by thread, rank and priority. Grouped on the table's own columns, which the engine sorts without SQLite.
WITH
  ran AS (
    SELECT
      utid, rank, priority,
      SUM(min(te, :span_end) - max(ts, :span_start)) AS ran_ns,
      COUNT(*) AS runs
    FROM etw_run
    WHERE ts < :span_end AND te > :span_start
    GROUP BY utid, rank, priority
  )
SELECT
  ran.utid, ran.rank, ran.priority, ran.ran_ns, ran.runs,
  _why_late_standing!(ran.utid, ran.rank, ran.priority, :wait_rank, :wait_priority) AS standing,
  t.tid, t.name AS thread, t.pid, t.process_name AS process
FROM ran
LEFT JOIN etw_thread AS t USING (utid)
ORDER BY ran.ran_ns DESC;
