-- Sums by process or by path, longest together first.
SELECT
  iif(:by = 'path', path, upid) AS key,
  MIN(utid) AS utid,
  COUNT(*) AS ios,
  SUM(iif(direction = 'read', size_bytes, 0)) AS read_bytes,
  SUM(iif(direction = 'write', size_bytes, 0)) AS written_bytes,
  SUM(dur) AS sum_ns,
  MAX(dur) AS max_ns
FROM passing
GROUP BY 1
ORDER BY ifnull(sum_ns, 0) DESC, ios DESC, 1
LIMIT :max_groups;
