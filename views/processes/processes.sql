-- All processes with the number of threads that each had, in the order in which they were created: those from before the
-- trace stand in it in that order too. One that an event names before System, the first of all, is the recorder: it came late.
SELECT
  p.upid,
  p.pid,
  p.name,
  p.parent_pid,
  p.parent_upid,
  p.command_line,
  p.session,
  p.services,
  p.package,
  p.create_ts,
  p.exit_ts,
  p.exit_code,
  iif(EXISTS (SELECT 1 FROM etw_thread), ifnull(t.threads, 0), NULL) AS threads
FROM etw_process AS p
LEFT JOIN (SELECT upid, COUNT(*) AS threads FROM etw_thread GROUP BY upid) AS t ON t.upid = p.upid
WHERE p.pid != 0
ORDER BY ifnull(p.create_ts, 0), p.upid < (SELECT MIN(upid) FROM etw_process WHERE pid = 4), p.upid;
