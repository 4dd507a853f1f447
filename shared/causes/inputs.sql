-- Keys and buttons that were pressed, with the process that had the focus then.
SELECT i.ts, f.upid
FROM etw_input AS i
JOIN etw_focus AS f ON f.ts <= i.ts AND f.ts + f.dur > i.ts
WHERE i.kind IN ('mouse_down', 'mouse_up', 'key_down') AND f.upid IS NOT NULL
ORDER BY i.ts;
