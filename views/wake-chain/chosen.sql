-- The run of the thread that goes on at :ts, or else the first one after it.
SELECT r.utid, r.ts, r.te
FROM etw_thread AS t
JOIN etw_run AS r ON r.utid = t.utid
WHERE t.tid = :tid AND r.te > :ts
ORDER BY r.ts
LIMIT 1;
