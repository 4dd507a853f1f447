-- The ready waits that ended as columns of bytes, as `etw.sample_columns` has them.
INCLUDE PERFETTO MODULE etw.part;

INCLUDE PERFETTO MODULE etw.ready_wait;

-- Which waits a row holds. A table with a key of its own, so that what is grouped by it needs no sorting.
CREATE TABLE _etw_ready_wait_part(first INTEGER PRIMARY KEY);

INSERT INTO _etw_ready_wait_part
SELECT first
FROM _etw_part((SELECT COUNT(*) FROM _etw_ready_wait_packed));

-- The waits that ended, in the order of time at which they began to be ready: when each ended, and in `waited` how long the
-- thread was blocked before (the upper half, in ns without sign) and ready (the lower). Left out are those with a half that
-- does not fit: blocked or ready for 2^32 ns (4.3 s) or more.
CREATE TABLE _etw_ready_wait_column AS
SELECT
  p.first,
  RepeatedField(CAST(w.te AS REAL)) AS te,
  RepeatedField(ifnull(b.dur, 0) << 32 | w.dur) AS waited
FROM _etw_ready_wait_part AS p
CROSS JOIN _etw_ready_wait_packed AS w
LEFT JOIN _etw_blocked AS b ON b.te = w.ts AND +b.utid = w.utid
WHERE
  w._auto_id >= p.first
  AND w._auto_id < p.first + 65536
  -- The CPU that it then ran on, and 1: 0 for a wait that did not end.
  AND w.outcome >> 23 != 0
  AND w.dur < 1 << 32
  AND ifnull(b.dur, 0) < 1 << 32
GROUP BY p.first;

DROP TABLE _etw_ready_wait_part;
