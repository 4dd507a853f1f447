-- What the user did in the range in view: an episode begins with each.
SELECT ts, kind, key_name, x, y
FROM etw_input
WHERE ts >= :range_start AND ts < :range_end
ORDER BY ts;
