-- The tags of the traces of a lake, with some of their values.
SELECT name, string_agg(DISTINCT value, ', ' ORDER BY value) AS values, count(DISTINCT trace_id) AS traces
FROM tag
GROUP BY name
ORDER BY traces DESC, name
LIMIT 20
