-- CPU time by process in the steps of time that are summed already.
SELECT (c.ts - :range_start) / c.dur AS number, c.dur AS bucket_ns, t.upid, SUM(c.ran_ns) AS ran_ns
FROM etw_cpu_time AS c
LEFT JOIN thread AS t ON t.utid = c.utid
WHERE c.utid != 0
GROUP BY 1, t.upid;
