-- The generic events of the range in view, and what they say.
SELECT e.ts, e.cpu, t.process_name AS process, t.tid, e.kind, e.level, e.fields
FROM etw_generic_event AS e
LEFT JOIN etw_thread AS t USING (utid)
WHERE e.ts >= :range_start AND e.ts < :range_end
  AND e.provider = :provider
  AND e.name = :event
  AND matches(:search, e.kind, json(e.fields), e.activity_id, e.related_activity_id)
  AND matches(:process, t.process_name, id(t.pid))
  AND matches(:thread, t.name, id(t.tid))
ORDER BY e.ts
LIMIT :limit;
