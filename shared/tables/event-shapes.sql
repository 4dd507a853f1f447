-- What the events of a trace have in common, where SQL has their texts whole: each of these is one value, for which a U+0001 stands.
SELECT kind, event_id, opcode, task, level, iif(has_header, char(1), NULL) AS header, char(1) AS fields
FROM (SELECT DISTINCT kind, event_id, opcode, task, level, header IS NOT NULL AS has_header FROM etw_generic_event)
ORDER BY kind, event_id, opcode, task, level, has_header;
