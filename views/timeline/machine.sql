-- What happened on the machine besides scheduling: spans by the track that they are of, in the order of time.
SELECT 'focus' AS track, f.ts, f.ts + f.dur AS te, ifnull(p.name, 'pid ' || f.pid) AS name
FROM etw_focus AS f
LEFT JOIN etw_process AS p USING (upid)
UNION ALL
-- A tick of the mouse's way is no deed of its own.
SELECT 'input', ts, ts + 1, ifnull(key_name, kind) FROM etw_input WHERE kind != 'mouse_move'
UNION ALL
SELECT 'frozen', f.ts, f.ts + f.dur, ifnull(p.name, 'pid ' || f.pid)
FROM etw_process_freeze AS f
LEFT JOIN etw_process AS p USING (upid)
UNION ALL
SELECT 'asleep', ts, ts + dur, 'asleep' FROM etw_suspend
UNION ALL
SELECT 'disk', ts, ts + dur, '' FROM etw_disk_io WHERE dur > 0
ORDER BY 2;
