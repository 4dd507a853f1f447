SELECT
  t.tid, t.name, t.pid, t.process_name,
  ifnull(t.service, p.services) AS service,
  ifnull(t.create_ts, (SELECT start_ts FROM etw_trace)) AS ts
FROM etw_thread AS t
LEFT JOIN etw_process AS p USING (upid)
WHERE t.tid IS NOT NULL
ORDER BY t.process_name, t.pid, t.tid;
