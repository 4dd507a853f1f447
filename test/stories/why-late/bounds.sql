-- When the picked thread could run on some CPUs only.
SELECT b.ts, b.te, json_group_array(c.cpu) AS cpus
FROM _why_late_bound AS b
JOIN etw_cpu AS c ON c.cpu_group = b.cpu_group AND b.mask >> c.number & 1
GROUP BY b.ts, b.te
ORDER BY b.ts;
