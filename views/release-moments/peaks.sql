-- The most waiting that ended in one moment, for each step of time.
WITH
  moments AS (
    SELECT bucket, SUM(waited_ns) AS waited_sum_ns, MAX(at_least) AS at_least
    FROM _release_moments_wait
    GROUP BY bucket
  )
SELECT
  (bucket * :bucket_ns - :range_start) / :step_ns AS step,
  MAX(waited_sum_ns) AS waited_sum_ns,
  at_least
FROM moments
GROUP BY 1
ORDER BY 1;
