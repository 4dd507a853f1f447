-- How many samples were in each image, by the key that frames have; without those in .NET methods, which the trace names.
SELECT f.mapping, COUNT(*) AS samples
FROM etw_sample AS s
JOIN stack_profile_callsite AS c ON c.id = s.callsite
JOIN stack_profile_frame AS f ON f.id = c.frame_id
WHERE s.utid != 0 AND ifnull(f.name, '') = ''
GROUP BY f.mapping;
