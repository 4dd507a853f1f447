-- How the number of I/Os under way changes in each bucket of time, by disk: by how much it rises, and what that adds to the sum
-- over the bucket's time, in ns. What began before the range is under way at its start; what has no end is left out.
SELECT
  (ts - :range_start) / :bucket_ns AS bucket,
  disk,
  SUM(step) AS steps,
  SUM(step * (:bucket_ns - (ts - :range_start) % :bucket_ns)) AS depth_ns
FROM (
  SELECT max(ts, :range_start) AS ts, disk, 1 AS step FROM passing WHERE dur IS NOT NULL
  UNION ALL
  SELECT te, disk, -1 FROM passing WHERE dur IS NOT NULL AND te < :range_end
)
GROUP BY 2, 1
ORDER BY 2, 1;
