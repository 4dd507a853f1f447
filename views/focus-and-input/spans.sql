-- The spans of focus that reach into the range.
SELECT f.ts, f.dur, f.session, f.upid, f.pid, p.name AS process, f.open_start, f.open_end
FROM etw_focus AS f
LEFT JOIN etw_process AS p ON p.upid = f.upid
WHERE f.ts < :range_end AND f.ts + f.dur > :range_start
ORDER BY f.ts;
