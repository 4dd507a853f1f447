-- How many waits were blocked or ready for :at_least_ns or more; counted up to :max_rows each.
SELECT
  (
    SELECT COUNT(*)
    FROM (SELECT 1 FROM _etw_blocked WHERE dur >= :at_least_ns AND te < :range_end LIMIT :max_rows)
  )
  + (
    SELECT COUNT(*)
    FROM (SELECT 1 FROM _etw_ready_wait WHERE dur >= :at_least_ns AND ts < :range_end LIMIT :max_rows)
  ) AS waits;
