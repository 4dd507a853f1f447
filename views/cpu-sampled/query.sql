-- The sampled CPU time of the range in view, by process and module.
SELECT t.process_name AS process, m.module, COUNT(*) AS samples, SUM(s.weight_ns) AS cpu_ns
FROM etw_sample AS s
JOIN etw_thread AS t USING (utid)
LEFT JOIN etw_callsite AS c USING (callsite)
LEFT JOIN etw_frame AS f USING (frame)
LEFT JOIN etw_mapping AS m USING (mapping)
WHERE s.ts >= :range_start AND s.ts < :range_end AND s.utid != 0
  AND NOT s.in_isr AND NOT s.in_dpc AND NOT s.is_kernel -- if mode = user
  AND NOT s.in_isr AND NOT s.in_dpc AND s.is_kernel -- if mode = kernel
  AND NOT s.in_isr AND s.in_dpc -- if mode = dpc
  AND s.in_isr -- if mode = isr
  AND matches(:process, t.process_name)
  AND t.tid = :tid
  AND matches(:module, file(m.module))
GROUP BY 1, 2
ORDER BY cpu_ns DESC;
