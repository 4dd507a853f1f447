-- The waits that ended in the range, blocked or ready for :at_least_ns or more.
SELECT w.te, b.dur AS blocked_ns, w.dur AS ready_ns
FROM _etw_blocked AS b
CROSS JOIN _etw_ready_wait AS w
WHERE
  b.dur >= :at_least_ns
  AND b.te < :range_end
  AND w.ts = b.te
  AND +w.utid = b.utid
  AND +w.te >= :range_start
  AND +w.te < :range_end
  AND +w.cpu IS NOT NULL
UNION ALL
-- Ready for long after being blocked for less, or not at all.
SELECT w.te, ifnull(b.dur, 0), w.dur
FROM _etw_ready_wait AS w
LEFT JOIN _etw_blocked AS b ON b.te = w.ts AND +b.utid = w.utid
WHERE
  w.dur >= :at_least_ns
  AND w.ts < :range_end
  AND +w.te >= :range_start
  AND +w.te < :range_end
  AND +w.cpu IS NOT NULL
  AND ifnull(b.dur, -1) < :at_least_ns;
