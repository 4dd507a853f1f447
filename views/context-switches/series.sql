-- Context switches by bucket and group. A group is the threads of a process, of a JSON array of upids, or threads that are
-- listed one by one, each as utid and group.
WITH
  chosen(utid, id) AS MATERIALIZED (
    SELECT value ->> 0, value ->> 1 FROM json_each(:threads)
    UNION ALL
    SELECT utid, upid FROM etw_thread WHERE upid IN (SELECT value FROM json_each(:upids))
  )
SELECT :origin_ns + (s.key >> 38) * :step_ns AS ts, c.id, SUM(s.switches) AS switches
FROM _etw_cpu_sum AS s
CROSS JOIN chosen AS c ON c.utid = (s.key >> 14 & 0xFFFFFF)
WHERE s.key >= (:first_step << 38) AND s.key < (:after_step << 38)
GROUP BY 1, 2
UNION ALL
SELECT :range_start + (r.ts - :range_start) / :bucket_ns * :bucket_ns AS ts, c.id, COUNT(*) AS switches
FROM _etw_run AS r
CROSS JOIN chosen AS c ON c.utid = +r.utid
WHERE r.ts >= :range_start AND r.ts < :steps_start
GROUP BY 1, 2
UNION ALL
SELECT :steps_end AS ts, c.id, COUNT(*) AS switches
FROM _etw_run AS r
CROSS JOIN chosen AS c ON c.utid = +r.utid
WHERE r.ts >= :steps_end AND r.ts < :range_end
GROUP BY 1, 2;
