-- CPU time of each process in the range in view.
SELECT p.name AS process, p.pid, SUM(c.ran_ns) AS cpu_ns, SUM(c.switches) AS switch_ins
FROM etw_cpu_time_between(:range_start, :range_end) AS c
JOIN etw_thread AS t USING (utid)
JOIN etw_process AS p USING (upid)
WHERE c.utid != 0
GROUP BY p.upid
ORDER BY cpu_ns DESC
LIMIT :limit;
