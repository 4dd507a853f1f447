-- Stretches of the waits in the table `_picked_ready_wait` in which the thread could run on some CPUs only: those of the
-- group that `mask` has as bits. Not told where it cannot be true: a mask without CPUs, or without the one that then took
-- the thread. Nor where there are several groups, and it was not recorded which one the mask is of.
CREATE OR REPLACE PERFETTO TABLE _why_late_bound AS
WITH
  whole AS MATERIALIZED (
    SELECT
      cpu_group,
      SUM(1 << number) AS mask,
      COUNT(*) = (SELECT COUNT(*) FROM etw_cpu) AS is_only
    FROM etw_cpu
    WHERE cpu_group IS NOT NULL
    GROUP BY cpu_group
  ),
  bound AS MATERIALIZED (
    SELECT a.utid, a.ts, a.ts + a.dur AS te, g.cpu_group, a.mask & g.mask AS mask
    FROM whole AS g
    CROSS JOIN etw_thread_affinity AS a
    WHERE
      iif(g.is_only, TRUE, a.cpu_group = g.cpu_group)
      AND a.mask & g.mask != 0
      AND NOT (g.is_only AND a.mask & g.mask = g.mask)
  )
SELECT
  w.ts AS wait_ts, w.utid, b.ts, b.te, b.cpu_group, b.mask,
  (SELECT COUNT(*) FROM etw_cpu AS u WHERE u.cpu_group = b.cpu_group AND b.mask >> u.number & 1) AS cpu_count
FROM bound AS b
CROSS JOIN _picked_ready_wait AS w
LEFT JOIN etw_cpu AS c ON c.cpu = w.cpu
WHERE
  w.utid = b.utid AND b.ts < w.te AND b.te > w.ts
  AND (w.cpu IS NULL OR b.te <= w.te OR (c.cpu_group = b.cpu_group AND b.mask >> c.number & 1));
