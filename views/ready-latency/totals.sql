-- Exact numbers over all waits that the filters let through.
SELECT
  COUNT(*) AS waits,
  ifnull(SUM(dur), 0) AS sum_ns,
  ifnull(SUM(dur >= :at_least_ns), 0) AS listed
FROM _ready_latency_wait;
