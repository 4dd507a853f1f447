-- The ready time of the range in view by rank and priority.
SELECT rank, priority, COUNT(*) AS waits, SUM(dur) AS ready_ns, MAX(dur) AS longest_ns
FROM etw_ready_wait
WHERE ts < :range_end AND te > :range_start
  AND utid IN (SELECT t.utid FROM etw_thread AS t WHERE matches(:process, t.process_name, id(t.pid)))
  AND utid IN (SELECT t.utid FROM etw_thread AS t WHERE matches(:thread, t.name, id(t.tid)))
GROUP BY rank, priority
ORDER BY ready_ns DESC;
