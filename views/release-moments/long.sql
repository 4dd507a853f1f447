-- The waits of the trace that ended and are too long for `_etw_ready_wait_column`: blocked or ready for 2^32 ns or more.
SELECT w.te, b.dur AS blocked_ns, w.dur AS ready_ns
FROM _etw_blocked AS b
CROSS JOIN _etw_ready_wait AS w
WHERE b.dur >= 1 << 32 AND w.ts = b.te AND +w.utid = b.utid AND +w.cpu IS NOT NULL
UNION ALL
-- Ready for so long after being blocked for less, or not at all.
SELECT w.te, ifnull(b.dur, 0), w.dur
FROM _etw_ready_wait AS w
LEFT JOIN _etw_blocked AS b ON b.te = w.ts AND +b.utid = w.utid
WHERE w.dur >= 1 << 32 AND +w.cpu IS NOT NULL AND ifnull(b.dur, -1) < 1 << 32;
