-- The generic events of the range in view, and what they say.
SELECT e.ts, e.cpu, t.process_name AS process, t.tid, e.kind, e.level, e.fields
FROM etw_generic_event AS e
LEFT JOIN etw_thread AS t USING (utid)
WHERE e.ts >= :range_start AND e.ts < :range_end
ORDER BY e.ts
LIMIT 10000;
