-- All events in the order of time, which is that of their keys, as columns of bytes: a row has 65,536 events at most. In `place` the
-- upper half is the kind, numbered as `kinds.sql` lists them, the lower the thread, 0 for none.
WITH
  kind AS MATERIALIZED (
    SELECT kind, row_number() OVER (ORDER BY kind) - 1 AS number
    FROM (SELECT DISTINCT kind FROM etw_generic_event)
  )
SELECT
  (
    SELECT RepeatedField(CAST(e.ts AS REAL))
    FROM etw_generic_event AS e
    WHERE e.id >= part.id AND e.id < part.id + 65536
  ) AS ts,
  (
    SELECT RepeatedField(k.number << 32 | ifnull(e.utid, 0))
    FROM etw_generic_event AS e
    CROSS JOIN kind AS k ON k.kind = e.kind
    WHERE e.id >= part.id AND e.id < part.id + 65536
  ) AS place
FROM etw_generic_event AS part
WHERE part.id & 65535 = 0
ORDER BY part.id;
