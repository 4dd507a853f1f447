-- All processes: who created whom, and when.
SELECT
  p.upid, p.pid, p.name,
  ifnull(p.create_ts, 0) AS create_ts,
  ifnull(p.exit_ts, 0) AS exit_ts,
  iif(p.create_ts IS NULL, NULL, p.parent_upid) AS parent_upid
FROM etw_process AS p;
