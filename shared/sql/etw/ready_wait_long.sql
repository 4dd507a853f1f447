-- Ready waits as pictures of a whole trace need them: the longest one by one, the rest counted.
INCLUDE PERFETTO MODULE etw.ready_wait;

INCLUDE PERFETTO MODULE etw.ready_wait_length;

-- Which waits are the longest, by when they began and of which thread.
CREATE PERFETTO TABLE _etw_ready_wait_longest AS
WITH
  longest AS (
    SELECT ts, utid FROM _etw_ready_wait
    ORDER BY dur DESC, ts
    LIMIT 10000
  ),
  in_doubt AS (
    SELECT ts, utid FROM _etw_ready_wait
    WHERE rank_before != rank_after AND (ts, utid) NOT IN (SELECT ts, utid FROM longest)
    ORDER BY dur DESC, ts
    LIMIT 1000
  ),
  either AS (
    SELECT ts, utid FROM longest
    UNION ALL
    SELECT ts, utid FROM in_doubt
  )
SELECT ts, utid FROM either
ORDER BY ts;

-- The longest ready waits: 10,000 and, of the others, the 1,000 longest before and after which different ranks were recorded. Of
-- equal ones the earliest.
CREATE PERFETTO VIEW etw_ready_wait_long(
  -- As in `etw_ready_wait`.
  ts TIMESTAMP,
  -- As in `etw_ready_wait`.
  dur DURATION,
  -- As in `etw_ready_wait`.
  te TIMESTAMP,
  -- As in `etw_ready_wait`.
  ended LONG,
  -- As in `etw_ready_wait`.
  cause STRING,
  -- As in `etw_ready_wait`.
  utid LONG,
  -- As in `etw_ready_wait`.
  waker_utid LONG,
  -- As in `etw_ready_wait`.
  waker_in_dpc LONG,
  -- As in `etw_ready_wait`.
  priority LONG,
  -- As in `etw_ready_wait`.
  rank LONG,
  -- As in `etw_ready_wait`.
  rank_source STRING,
  -- As in `etw_ready_wait`.
  rank_before LONG,
  -- As in `etw_ready_wait`.
  rank_after LONG,
  -- As in `etw_ready_wait`.
  cpu LONG,
  -- As in `etw_ready_wait`.
  flags LONG,
  -- As in `etw_ready_wait`.
  last_switch_out_ts TIMESTAMP,
  -- As in `etw_ready_wait`.
  last_ready_ts TIMESTAMP
) AS
SELECT
  w.ts,
  w.dur,
  w.te,
  w.ended,
  w.cause,
  w.utid,
  w.waker_utid,
  w.waker_in_dpc,
  w.priority,
  w.rank,
  w.rank_source,
  w.rank_before,
  w.rank_after,
  w.cpu,
  w.flags,
  w.last_switch_out_ts,
  w.last_ready_ts
FROM _etw_ready_wait_longest AS l
JOIN etw_ready_wait AS w USING (ts, utid);

-- What waits are counted by, in one number, which the engine groups by fastest: bin (11 bits), preempted (1), priority (6,
-- 63 for null), rank (8, 255 for null) and utid, from the lowest bit on.
CREATE PERFETTO MACRO _etw_ready_wait_key(
  -- A row of `_etw_ready_wait`.
  w Expr
)
RETURNS Expr AS
(
  ($w.utid << 26)
    | (ifnull($w.rank, 255) << 18)
    | (ifnull($w.priority, 63) << 12)
    | (($w.waker_utid IS NULL) << 11)
    | _etw_ready_wait_bin!($w.dur)
);

CREATE PERFETTO TABLE _etw_ready_wait_keyed AS
SELECT _etw_ready_wait_key!(w) AS key, w.dur
FROM _etw_ready_wait AS w
WHERE
  -- One number is looked up much faster than two, and nearly all waits begin when no long one does.
  w.ts NOT IN (SELECT l.ts FROM _etw_ready_wait_longest AS l)
  OR (w.ts, w.utid) NOT IN (SELECT l.ts, l.utid FROM _etw_ready_wait_longest AS l);

CREATE PERFETTO TABLE _etw_ready_wait_rest AS
SELECT key, COUNT(*) AS waits, SUM(dur) AS sum_ns, MAX(dur) AS max_ns
FROM _etw_ready_wait_keyed
GROUP BY key;

DROP TABLE _etw_ready_wait_keyed;

-- All ready waits but those of `etw_ready_wait_long`, counted as in `etw_ready_wait_bin`.
CREATE PERFETTO VIEW etw_ready_wait_rest(
  -- The thread that waited.
  utid LONG,
  -- Its rank during the wait, as in `etw_ready_wait`.
  rank LONG,
  -- Its priority, as in `etw_ready_wait`.
  priority LONG,
  -- `wake` or `preempted`, as in `etw_ready_wait`.
  cause STRING,
  -- The bin: floor(100 log10 of the duration in ns); what is below 100 ns is in bin 200.
  bin LONG,
  -- Number of waits.
  waits LONG,
  -- Their lengths together, in ns.
  sum_ns DURATION,
  -- Length of the longest, in ns.
  max_ns DURATION
) AS
SELECT
  key >> 26 AS utid,
  nullif(key >> 18 & 255, 255) AS rank,
  nullif(key >> 12 & 63, 63) AS priority,
  iif(key >> 11 & 1, 'preempted', 'wake') AS cause,
  key & 2047 AS bin,
  waits,
  sum_ns,
  max_ns
FROM _etw_ready_wait_rest;
