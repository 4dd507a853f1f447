-- CPU time by process in steps of time, as samples of the profile stand for it: each for the interval between two.
INCLUDE PERFETTO MODULE etw.sample;

SELECT (s.ts - :range_start) / :bucket_ns AS number, t.upid, SUM(s.weight_ns) AS ran_ns
FROM etw_sample AS s
LEFT JOIN thread AS t ON t.utid = s.utid
WHERE s.utid != 0 AND s.weight_ns IS NOT NULL AND s.ts >= :range_start AND s.ts < :range_end
GROUP BY 1, t.upid;
