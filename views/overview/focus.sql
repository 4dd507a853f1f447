-- Who had the focus, the longest spans, with how many there are.
SELECT f.ts, f.dur, f.pid, p.name AS process, COUNT(*) OVER () AS spans
FROM etw_focus AS f
LEFT JOIN etw_process AS p ON p.upid = f.upid
WHERE f.ts <= :range_end AND f.ts + f.dur >= :range_start
ORDER BY f.dur DESC
LIMIT :max_rows;
