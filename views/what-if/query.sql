-- The ready time of the range in view by rank and priority.
SELECT rank, priority, COUNT(*) AS waits, SUM(dur) AS ready_ns, MAX(dur) AS longest_ns
FROM etw_ready_wait
WHERE ts < :range_end AND te > :range_start
GROUP BY rank, priority
ORDER BY ready_ns DESC;
