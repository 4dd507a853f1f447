-- All processes with what they are known by in any recording.
SELECT
  p.upid,
  p.pid,
  ifnull(p.name, 'pid ' || p.pid) AS image,
  p.command_line,
  parent.name AS parent
FROM etw_process AS p
LEFT JOIN etw_process AS parent ON parent.upid = p.parent_upid;
