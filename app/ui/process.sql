-- A process by its id: the incarnation that lived at :ts, else the last one.
SELECT
  p.upid, p.pid, p.name AS process, p.session, p.parent_pid, p.create_ts, p.exit_ts, p.exit_code, p.services, p.package,
  p.command_line,
  (SELECT nullif(COUNT(*), 0) FROM etw_thread AS t WHERE t.upid = p.upid) AS threads,
  (SELECT parent.name FROM etw_process AS parent WHERE parent.upid = p.parent_upid) AS parent
FROM etw_process AS p
WHERE p.pid = :pid
ORDER BY
  ifnull(p.create_ts, 0) <= :ts AND (p.exit_ts IS NULL OR p.exit_ts >= :ts) DESC,
  p.create_ts DESC
LIMIT 1;
