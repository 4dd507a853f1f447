-- The threads of a list, by :utids.
SELECT
  u.value AS utid, t.tid, t.name AS thread, t.pid, t.process_name AS process, t.create_ts,
  ifnull(t.service, p.services) AS service
FROM json_each(:utids) AS u
LEFT JOIN etw_thread AS t ON t.utid = u.value
LEFT JOIN etw_process AS p ON p.upid = t.upid;
