-- What the traces of a lake are told apart by: one row for each value, the most frequent first.
WITH
  told AS (
    SELECT 'machine' AS kind, substr(machine_key, 1, 12) AS name, max(machine_model) AS value, count(*) AS traces
    FROM trace
    WHERE machine_key IS NOT NULL
    GROUP BY machine_key
    UNION ALL
    SELECT 'model', machine_model, NULL, count(*) FROM trace WHERE machine_model IS NOT NULL GROUP BY machine_model
    UNION ALL
    SELECT 'os_build', CAST(os_build AS STRING), NULL, count(*) FROM trace WHERE os_build IS NOT NULL GROUP BY os_build
    UNION ALL
    SELECT 'tag', name, value, count(*) FROM tag GROUP BY name, value
    UNION ALL
    SELECT 'all', CAST(min("date") AS STRING), CAST(max("date") AS STRING), count(*) FROM trace
    UNION ALL
    SELECT 'lossy', NULL, NULL, count(*) FROM trace WHERE is_lossy
  )
SELECT kind, name, value, traces FROM told ORDER BY traces DESC, name, value
