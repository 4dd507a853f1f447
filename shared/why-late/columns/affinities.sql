-- When threads could run on some CPUs only. Not told of a mask without CPUs, nor where there are several groups and it was not
-- recorded which one the mask is of.
WITH
  whole AS MATERIALIZED (
    SELECT cpu_group, SUM(1 << number) AS mask, COUNT(*) = (SELECT COUNT(*) FROM etw_cpu) AS is_only
    FROM etw_cpu
    WHERE cpu_group IS NOT NULL
    GROUP BY cpu_group
  ),
  mask AS MATERIALIZED (
    SELECT DISTINCT g.cpu_group, a.mask & g.mask AS mask
    FROM whole AS g
    CROSS JOIN etw_thread_affinity AS a
    WHERE
      iif(g.is_only, TRUE, a.cpu_group = g.cpu_group)
      AND a.mask & g.mask != 0
      AND NOT (g.is_only AND a.mask & g.mask = g.mask)
  ),
  cpus AS MATERIALIZED (
    SELECT m.cpu_group, m.mask, json_group_array(c.cpu) AS cpus
    FROM mask AS m
    JOIN etw_cpu AS c ON c.cpu_group = m.cpu_group AND m.mask >> c.number & 1
    GROUP BY m.cpu_group, m.mask
  )
SELECT a.utid, a.ts, a.ts + a.dur AS te, c.cpus
FROM etw_thread_affinity AS a
JOIN whole AS g ON iif(g.is_only, TRUE, a.cpu_group = g.cpu_group)
JOIN cpus AS c ON c.cpu_group = g.cpu_group AND c.mask = a.mask & g.mask
ORDER BY a.ts;
