-- The processes of the range in view, and how long each took to exit.
SELECT p.name AS process, p.pid, p.parent_pid, p.create_ts, p.exit_ts, x.dur AS exit_ns, p.exit_code, p.command_line
FROM etw_process AS p
LEFT JOIN etw_process_exit AS x USING (upid)
WHERE p.pid != 0 AND ifnull(p.create_ts, :range_start) < :range_end AND ifnull(p.exit_ts, :range_end) >= :range_start
  AND matches(:process, p.name, p.command_line, p.services, id(p.pid))
  AND p.exit_ts - p.create_ts <= :at_most_ns
  AND p.exit_ts IS NOT NULL -- if ended
ORDER BY p.create_ts;
