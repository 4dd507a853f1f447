-- The symbols that were loaded, by their places in files: frames have other keys in another engine.
SELECT DISTINCT m.module, m.guid, f.mapping_offset AS rva, s.function, s.file, s.line
FROM etw_symbol AS s
CROSS JOIN etw_frame AS f USING (frame)
CROSS JOIN etw_mapping AS m USING (mapping);
