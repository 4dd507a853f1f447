-- When a ready thread could not run at all, or on some CPUs only.
INCLUDE PERFETTO MODULE etw.affinity;

INCLUDE PERFETTO MODULE etw.freeze;

INCLUDE PERFETTO MODULE etw.power;

INCLUDE PERFETTO MODULE etw.process;

INCLUDE PERFETTO MODULE etw.ready_wait_recorded;

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

-- Stretches of ready waits in which the thread could run on some CPUs only, which `cpus` lists. Not told where it cannot be
-- true: another CPU then took the thread.
CREATE PERFETTO MACRO _etw_ready_wait_bound(
  -- The waits, with `ts`, `te`, `utid`, and `cpu` that took the thread.
  waits TableOrSubquery
)
RETURNS TableOrSubquery AS
(
  SELECT w.ts AS wait_ts, w.utid, b.ts, b.ts + b.dur AS te, b.cpus
  FROM etw_thread_affinity AS b
  CROSS JOIN $waits AS w
  WHERE
    b.cpus IS NOT NULL
    AND w.utid = b.utid AND b.ts < w.te AND b.ts + b.dur > w.ts
    AND (w.cpu IS NULL OR b.ts + b.dur <= w.te OR EXISTS (SELECT 1 FROM json_each(b.cpus) WHERE value = w.cpu))
);
