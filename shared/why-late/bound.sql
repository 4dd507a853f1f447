-- Stretches of the waits in the table `_picked_ready_wait` in which the thread could run on some CPUs only; `mask` has
-- them as bits. Not told where it cannot be true: a mask without CPUs, or without the one that then took the thread. Nor
-- on machines with several processor groups, of which the masks do not say which one they belong to.
CREATE OR REPLACE PERFETTO TABLE _why_late_bound AS
WITH
  bound AS MATERIALIZED (
    SELECT a.utid, a.ts, a.ts + a.dur AS te, a.mask & ~(-1 << t.cpu_count) AS mask
    FROM etw_trace AS t
    CROSS JOIN etw_thread_affinity AS a
    WHERE
      t.cpu_count <= 64
      AND a.mask & ~(-1 << t.cpu_count) NOT IN (0, ~(-1 << t.cpu_count))
  )
SELECT w.ts AS wait_ts, w.utid, b.ts, b.te, b.mask
FROM bound AS b
CROSS JOIN _picked_ready_wait AS w
WHERE
  w.utid = b.utid AND b.ts < w.te AND b.te > w.ts
  AND (w.cpu IS NULL OR b.te <= w.te OR b.mask >> w.cpu & 1);
