-- All processes with what they are known by in any recording.
SELECT
  p.upid,
  p.pid,
  ifnull(p.name, 'pid ' || p.pid) AS image,
  p.command_line,
  parent.name AS parent,
  p.create_ts,
  p.exit_ts
FROM etw_process AS p
LEFT JOIN etw_process AS parent ON parent.upid = p.parent_upid;
