-- The functions that symbols name, by their places in files.
SELECT DISTINCT m.module, f.mapping_offset AS rva, s.function
FROM etw_symbol AS s
CROSS JOIN etw_frame AS f USING (frame)
CROSS JOIN etw_mapping AS m USING (mapping)
WHERE s.function IS NOT NULL;
