-- What ended in each bucket of time, by disk and direction.
SELECT
  (te - :range_start) / :bucket_ns AS bucket,
  disk,
  direction,
  COUNT(*) AS ios,
  SUM(ifnull(size_bytes, 0)) AS size_bytes
FROM passing
WHERE te >= :range_start AND te < :range_end
GROUP BY 2, 3, 1
ORDER BY 2, 3 = 'other', 3, 1;
