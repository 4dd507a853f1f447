-- The first events that pass the filters.
SELECT ts, utid, provider, name, cpu, level, fields
FROM _etw_generic_event
WHERE
  ts >= :range_start
  AND ts < :range_end
  AND (:provider IS NULL OR provider = :provider)
  AND (:event IS NULL OR name = :event)
  AND (:utids IS NULL OR utid IN (SELECT value FROM json_each(:utids)))
  AND (:pattern IS NULL OR tag LIKE :name_pattern ESCAPE '!' OR fields LIKE :pattern ESCAPE '!')
ORDER BY ts
LIMIT :max_events;
