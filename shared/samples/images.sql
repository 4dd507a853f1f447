-- The images that frames are in, in the order of their keys, which count from 0. The importer puts a slash before a path.
SELECT substr(name, 2) AS path
FROM stack_profile_mapping
ORDER BY id;
