-- How many samples were in each image, by the key that frames have; without those in .NET methods, which the trace names.
SELECT f.mapping, COUNT(*) AS samples
FROM etw_sample AS s
JOIN etw_callsite AS c ON c.callsite = s.callsite
JOIN etw_frame AS f ON f.frame = c.frame
WHERE s.utid != 0 AND f.frame NOT IN (SELECT n.frame FROM etw_frame_function AS n)
GROUP BY f.mapping;
