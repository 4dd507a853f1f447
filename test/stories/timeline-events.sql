-- The generic events of a trace, in the order of time.
SELECT ts, utid, provider, name, opcode, activity_id AS activity, fields
FROM etw_generic_event
ORDER BY id;
