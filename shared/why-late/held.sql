-- Stretches of the waits in the table `_picked_ready_wait` in which the thread could not run, whatever the CPUs did:
-- `asleep`: the machine slept;
-- `frozen`: its process was frozen;
-- `swapped_out`: it had been readied with its kernel stack or process swapped out, and not yet for the second time.
CREATE OR REPLACE PERFETTO TABLE _why_late_held AS
SELECT w.ts AS wait_ts, w.utid, 'asleep' AS why, s.ts, s.ts + s.dur AS te
FROM _picked_ready_wait AS w
JOIN etw_suspend AS s ON s.ts < w.te AND s.ts + s.dur > w.ts
UNION ALL
SELECT w.ts, w.utid, 'frozen', f.ts, f.ts + f.dur
FROM etw_process_freeze AS f
CROSS JOIN _picked_ready_wait AS w
JOIN etw_thread AS t ON t.utid = w.utid
WHERE t.upid = f.upid AND f.ts < w.te AND f.ts + f.dur > w.ts
UNION ALL
SELECT w.ts, w.utid, 'swapped_out', w.ts, h.last_ready_ts
FROM _picked_ready_wait AS w
JOIN etw_ready_wait_history AS h ON h.utid = w.utid AND h.ts = w.ts
WHERE w.flags & 6 > 0 AND h.last_ready_ts IS NOT NULL;
