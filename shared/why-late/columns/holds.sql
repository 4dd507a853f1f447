-- When threads could not run, whatever the CPUs did: no thread where `utid` is null.
SELECT 'asleep' AS why, NULL AS utid, ts, ts + dur AS te FROM etw_suspend
UNION ALL
SELECT 'frozen', t.utid, f.ts, f.ts + f.dur
FROM etw_process_freeze AS f
JOIN etw_thread AS t ON t.upid = f.upid;
