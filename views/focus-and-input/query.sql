-- Which process had the focus in the range in view.
SELECT f.ts, f.dur, p.name AS process, f.pid, f.session, f.open_start, f.open_end
FROM etw_focus AS f
LEFT JOIN etw_process AS p USING (upid)
WHERE f.ts < :range_end AND f.ts + f.dur > :range_start
ORDER BY f.ts;
