-- Keys and mouse buttons.
SELECT ts, kind = 'key_down' AS is_key
FROM etw_input
WHERE kind IN ('key_down', 'mouse_down')
ORDER BY ts
LIMIT :max_rows;
