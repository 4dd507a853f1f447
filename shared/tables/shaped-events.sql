-- All events in the order of time, which is that of their keys, with the numbers of their shapes: rows of `event-shapes.sql`, from 0.
WITH
  shape AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY kind, event_id, opcode, task, level, has_header) - 1 AS number
    FROM (SELECT DISTINCT kind, event_id, opcode, task, level, header IS NOT NULL AS has_header FROM etw_generic_event)
  )
SELECT e.ts, e.cpu, e.utid, s.number AS shape
FROM etw_generic_event AS e
CROSS JOIN shape AS s
  ON s.kind = e.kind
  AND s.event_id = e.event_id
  AND s.opcode = e.opcode
  AND s.task = e.task
  AND s.level = e.level
  AND s.has_header = (e.header IS NOT NULL)
ORDER BY e.id;
