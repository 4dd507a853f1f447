-- All processes.
SELECT
  ifnull(p.name, 'pid ' || p.pid) AS name,
  p.pid,
  parent.name AS parent,
  p.command_line,
  p.create_ts,
  p.exit_ts,
  p.exit_code
FROM etw_process AS p
LEFT JOIN etw_process AS parent ON parent.upid = p.parent_upid
ORDER BY p.upid;
