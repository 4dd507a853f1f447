-- The threads of a list, and when the last span of each ends at the latest. :runs_end is when the last run ends.
SELECT
  u.value AS utid, t.tid, t.name AS thread, t.upid, t.pid, t.process_name AS process,
  ifnull(t.exit_ts, (SELECT max(end_ts, trace_end(), :runs_end) FROM etw_trace)) AS until_ts
FROM json_each(:utids) AS u
LEFT JOIN etw_thread AS t ON t.utid = u.value;
