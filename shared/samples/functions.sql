-- The names of functions, where the recording or symbols gave any.
SELECT id AS frame, name AS function
FROM stack_profile_frame
WHERE name != ''
UNION ALL
SELECT frame, function
FROM etw_symbol
WHERE function IS NOT NULL;
