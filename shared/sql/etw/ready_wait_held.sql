-- When a ready thread could not run at all, or on some CPUs only.
INCLUDE PERFETTO MODULE etw.affinity;

INCLUDE PERFETTO MODULE etw.freeze;

INCLUDE PERFETTO MODULE etw.power;

INCLUDE PERFETTO MODULE etw.process;

INCLUDE PERFETTO MODULE etw.ready_wait_packed;

-- Stretches of ready waits in which the thread could not run, whatever the CPUs did:
-- `asleep`: the machine slept;
-- `frozen`: its process was frozen;
-- `swapped_out`: it had been readied with its kernel stack or process swapped out, and not yet for the last time.
CREATE PERFETTO MACRO _etw_ready_wait_held(
  -- The waits, with `ts`, `te`, `utid` and `flags`.
  waits TableOrSubquery
)
RETURNS TableOrSubquery AS
(
  SELECT w.ts AS wait_ts, w.utid, 'asleep' AS why, s.ts, s.ts + s.dur AS te
  FROM $waits AS w
  JOIN etw_suspend AS s ON s.ts < w.te AND s.ts + s.dur > w.ts
  UNION ALL
  SELECT w.ts, w.utid, 'frozen', f.ts, f.ts + f.dur
  FROM etw_process_freeze AS f
  CROSS JOIN $waits AS w
  JOIN etw_thread AS t ON t.utid = w.utid
  WHERE t.upid = f.upid AND f.ts < w.te AND f.ts + f.dur > w.ts
  UNION ALL
  SELECT w.ts, w.utid, 'swapped_out', w.ts, MAX(n.ts)
  FROM $waits AS w
  JOIN _etw_ready_repeat AS n ON n.utid = w.utid AND n.ts > w.ts AND n.ts < w.te
  WHERE w.flags & 6 > 0
  GROUP BY w.ts, w.utid
);

-- Stretches of ready waits in which the thread could run on some CPUs only: those of the group that `mask` has as bits. Not
-- told where it cannot be true: a mask without CPUs, or without the one that then took the thread. Nor where there are
-- several groups, and it was not recorded which one the mask is of.
CREATE PERFETTO MACRO _etw_ready_wait_bound(
  -- The waits, with `ts`, `te`, `utid`, and `cpu` that took the thread.
  waits TableOrSubquery
)
RETURNS TableOrSubquery AS
(
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
  CROSS JOIN $waits AS w
  LEFT JOIN etw_cpu AS c ON c.cpu = w.cpu
  WHERE
    w.utid = b.utid AND b.ts < w.te AND b.te > w.ts
    AND (w.cpu IS NULL OR b.te <= w.te OR (c.cpu_group = b.cpu_group AND b.mask >> c.number & 1))
);
