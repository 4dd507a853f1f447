-- The longest of them, and then those whose end was not recorded.
SELECT ts, dur, kind, direction, utid, path, size_bytes, disk, priority, status
FROM passing
ORDER BY ifnull(dur, -1) DESC, ts
LIMIT :max_rows;
