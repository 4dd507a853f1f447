-- The threads of :utids, and when the trace begins.
SELECT
  u.value AS utid, t.upid, t.tid, t.name AS thread, t.pid, t.process_name AS process, t.create_ts,
  ifnull(t.service, p.services) AS service,
  (SELECT start_ts FROM etw_trace) AS start_ts
FROM json_each(:utids) AS u
LEFT JOIN etw_thread AS t ON t.utid = u.value
LEFT JOIN etw_process AS p ON p.upid = t.upid;
