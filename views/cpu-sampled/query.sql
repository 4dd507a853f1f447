-- The sampled CPU time of the range in view, by process and module.
SELECT t.process_name AS process, m.module, COUNT(*) AS samples, SUM(s.weight_ns) AS cpu_ns
FROM etw_sample AS s
JOIN etw_thread AS t USING (utid)
LEFT JOIN etw_callsite AS c USING (callsite)
LEFT JOIN etw_frame AS f USING (frame)
LEFT JOIN etw_mapping AS m USING (mapping)
WHERE s.ts >= :range_start AND s.ts < :range_end
GROUP BY 1, 2
ORDER BY cpu_ns DESC;
