-- The bin in which :at_least_ns lies, and how many waits of that bin are as long.
SELECT
  _etw_duration_bin!(:at_least_ns) AS bin,
  (
    SELECT COUNT(*)
    FROM _ready_latency_wait
    WHERE
      dur >= :at_least_ns
      -- A bin reaches 2.4 % up; the first one begins at 0.
      AND dur <= max(:at_least_ns * 1.03, 101)
      AND _etw_duration_bin!(dur) = _etw_duration_bin!(:at_least_ns)
  ) AS waits;
