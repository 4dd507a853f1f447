-- The longest freezes.
SELECT f.ts, f.dur, f.pid, p.name AS process, f.open_start, f.open_end, COUNT(*) OVER () AS freezes
FROM etw_process_freeze AS f
LEFT JOIN etw_process AS p ON p.upid = f.upid
WHERE f.ts <= :range_end AND f.ts + f.dur >= :range_start
ORDER BY f.dur DESC
LIMIT :max_rows;
