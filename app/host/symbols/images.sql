-- Images that instructions are in, by the key that frames have, with the identity of their symbols.
SELECT m.mapping, m.module AS path, m.guid, max(i.pdb) AS pdb, max(i.age) AS age, m.size_bytes AS image_bytes
FROM etw_mapping AS m
LEFT JOIN etw_image AS i ON i.path = m.module AND i.guid = m.guid
-- Generated code has its file's name, but no place in the file.
WHERE m.module IS NOT NULL AND m.is_image
GROUP BY m.mapping
ORDER BY m.mapping;
