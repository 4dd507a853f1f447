-- CPU time of each thread in the range in view, by priority and rank.
SELECT t.process_name AS process, t.tid, t.name AS thread, c.priority, c.rank, SUM(c.ran_ns) AS cpu_ns
FROM etw_cpu_time_between(:range_start, :range_end) AS c
JOIN etw_thread AS t USING (utid)
WHERE c.utid != 0
  AND c.priority >= :priority_min
  AND c.priority <= :priority_max
  AND c.rank = :rank
GROUP BY c.utid, c.priority, c.rank
ORDER BY cpu_ns DESC;
