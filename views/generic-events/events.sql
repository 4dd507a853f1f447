-- Events by a JSON array of their keys.
SELECT ts, utid, provider, name, cpu, level, fields, header
FROM etw_generic_event
WHERE id IN (SELECT value FROM json_each(:ids))
ORDER BY id;
