-- Sums and percentiles (nearest rank) by process, by path, or by disk and kind: longest together first, with how many there are.
SELECT
  key,
  MIN(utid) AS utid,
  MIN(disk) AS disk,
  MIN(kind) AS kind,
  COUNT(*) AS ios,
  SUM(iif(direction = 'read', size_bytes, 0)) AS read_bytes,
  SUM(iif(direction = 'write', size_bytes, 0)) AS written_bytes,
  SUM(dur) AS sum_ns,
  MAX(iif(place <= (ended * 50 + 99) / 100, dur, NULL)) AS p50_ns,
  MAX(iif(place <= (ended * 90 + 99) / 100, dur, NULL)) AS p90_ns,
  MAX(iif(place <= (ended * 99 + 99) / 100, dur, NULL)) AS p99_ns,
  MAX(dur) AS max_ns,
  COUNT(*) OVER () AS group_count
FROM (
  SELECT
    *,
    row_number() OVER (PARTITION BY key ORDER BY dur IS NULL, dur) AS place,
    COUNT(dur) OVER (PARTITION BY key) AS ended
  FROM (
    SELECT
      *,
      CASE :by WHEN 'process' THEN upid WHEN 'path' THEN path ELSE ifnull(disk, '') || ' ' || kind END AS key
    FROM passing
  )
)
GROUP BY key
ORDER BY ifnull(sum_ns, 0) DESC, ios DESC, key
LIMIT :max_groups;
