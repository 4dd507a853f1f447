-- The waits in the range, counted as in `_etw_ready_wait_bin`. Of waits below 1 ms only one in :every is taken, and counts
-- that often: grouping millions takes seconds. The prime keeps the choice apart from any timer's beat.
WITH
  taken AS (
    SELECT _etw_ready_wait_key!(w) AS key, w.dur, iif(w.dur >= 1000000, 1, :every) AS weight
    FROM _etw_ready_wait AS w
    WHERE
      w.ts < :range_end
      AND w.te > :range_start
      AND (w.dur >= 1000000 OR w.ts % 1000003 % :every = 0)
  )
SELECT key, SUM(weight) AS waits, SUM(dur * weight) AS sum_ns, MAX(dur) AS max_ns
FROM taken
GROUP BY key;
