-- CPU time of a process in the whole recording; null where no context switches were recorded.
SELECT
  CASE
    WHEN EXISTS (SELECT 1 FROM etw_cpu_time)
    THEN (SELECT ifnull(SUM(c.ran_ns), 0) FROM etw_cpu_time AS c JOIN etw_thread AS t USING (utid) WHERE t.upid = :upid)
  END AS ran_ns;
