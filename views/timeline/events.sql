-- The generic events of some providers, in the order of time. The names are a JSON array.
SELECT id, ts, utid, provider, name, opcode, activity_id AS activity
FROM etw_generic_event
WHERE provider IN (SELECT value FROM json_each(:providers))
ORDER BY id;
