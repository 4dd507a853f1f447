-- Moments that another recording of the same work has too: from them on two recordings can be set side by side.
SELECT 'key' AS kind, coalesce(key_name, kind) AS name, ts
FROM etw_input
WHERE kind IN ('key_down', 'mouse_down')
UNION ALL
SELECT 'process', name, create_ts
FROM etw_process
WHERE create_ts IS NOT NULL AND name IS NOT NULL
UNION ALL
SELECT 'focus', p.name, f.ts
FROM etw_focus AS f
JOIN etw_process AS p USING (upid)
WHERE f.open_start = 0 AND p.name IS NOT NULL
ORDER BY 3;
