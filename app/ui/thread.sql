SELECT
  t.tid, t.name AS thread, t.pid, t.process_name AS process, t.base_priority, t.create_ts, t.exit_ts,
  t.service, p.services, p.package, p.command_line
FROM etw_thread AS t
LEFT JOIN etw_process AS p USING (upid)
WHERE t.tid = :tid AND ifnull(t.create_ts, 0) <= :ts AND ifnull(t.exit_ts, :ts) >= :ts
ORDER BY t.create_ts DESC
LIMIT 1;
