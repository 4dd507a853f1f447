-- Images that instructions are in, by the key that frames have, with the identity of their symbols.
SELECT
  m.id AS mapping,
  substr(m.name, 2) AS path,
  nullif(m.build_id, '') AS guid,
  max(i.pdb) AS pdb,
  max(i.age) AS age,
  m."end" - m.start AS image_bytes
FROM stack_profile_mapping AS m
LEFT JOIN etw_image AS i ON i.path = substr(m.name, 2) AND replace(i.guid, '-', '') = m.build_id
-- Generated code has its file's name, but no place in the file.
WHERE m.name != '' AND m."end" != 0
GROUP BY m.id
ORDER BY m.id;
