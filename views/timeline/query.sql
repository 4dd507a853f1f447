-- What ran in the range in view, in the order of time.
SELECT r.ts, r.dur, r.cpu, t.process_name AS process, t.tid, t.name AS thread, r.priority, r.rank
FROM etw_run AS r
JOIN etw_thread AS t USING (utid)
WHERE r.ts < :range_end AND r.te > :range_start AND r.utid != 0
  AND matches(:filter, t.process_name, t.name, 'CPU ' || r.cpu, id(t.pid), id(t.tid))
ORDER BY r.ts
LIMIT 10000;
