-- Adds symbols by their places in files: a JSON array of arrays of path, GUID, rva, function, file, line.
CREATE OR REPLACE PERFETTO TABLE etw_symbol(frame LONG, function STRING, file STRING, line LONG) AS
WITH
  place AS MATERIALIZED (
    SELECT
      value ->> 0 AS module,
      value ->> 1 AS guid,
      value ->> 2 AS rva,
      value ->> 3 AS function,
      value ->> 4 AS file,
      value ->> 5 AS line
    FROM json_each(:symbols)
  )
SELECT frame, function, file, line
FROM etw_symbol
UNION ALL
SELECT f.frame, p.function, p.file, p.line
FROM etw_frame AS f
CROSS JOIN etw_mapping AS m USING (mapping)
CROSS JOIN place AS p ON p.module = m.module AND p.guid IS m.guid AND p.rva = f.mapping_offset
WHERE m.is_image
ORDER BY frame;
