-- How many threads each process had in the range in view, and how many of these began or ended in it.
SELECT
  t.process_name AS process, t.pid, COUNT(*) AS threads,
  SUM(ifnull(t.create_ts >= :range_start, 0)) AS created, SUM(ifnull(t.exit_ts < :range_end, 0)) AS ended
FROM etw_thread AS t
WHERE ifnull(t.create_ts, :range_start) < :range_end AND ifnull(t.exit_ts, :range_end) >= :range_start
  AND matches(:process, t.process_name, id(t.pid))
GROUP BY t.upid
ORDER BY threads DESC;
