-- The images that frames are in, in the order of their keys, which count from 0. The importer puts a slash before a path.
-- Generated code has the name of the file that it is made from, but no place in it.
SELECT substr(name, 2) AS path, "end" = 0 AS is_generated
FROM stack_profile_mapping
ORDER BY id;
