-- How many waits were blocked for :at_least_ns or more; counted up to :max_rows.
SELECT COUNT(*) AS waits
FROM (
  SELECT 1
  FROM thread_state
  WHERE state = 'Waiting' AND dur >= :at_least_ns AND ts < :range_end
  LIMIT :max_rows
);
