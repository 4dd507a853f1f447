-- Keys and mouse buttons, the first of them, with how many there are.
SELECT ts, kind = 'key_down' AS is_key, COUNT(*) OVER () AS inputs
FROM etw_input
WHERE kind IN ('key_down', 'mouse_down') AND ts BETWEEN :range_start AND :range_end
ORDER BY ts
LIMIT :max_rows;
