-- CPU time of each thread since the start of the recording, and the part of the range in view.
SELECT
  t.process_name AS process, t.tid, t.name AS thread, SUM(r.dur) AS cpu_ns,
  SUM(MAX(0, MIN(r.te, :range_end) - MAX(r.ts, :range_start))) AS in_range_ns
FROM etw_run AS r
JOIN etw_thread AS t USING (utid)
WHERE r.utid != 0
  AND matches(:process, t.process_name)
GROUP BY r.utid
ORDER BY cpu_ns DESC;
