-- @title Context switch storm
-- @means The machine switched between threads far more often than work needs, for a second or longer.
-- @matters Each switch costs time in the kernel and empties caches. Common reasons are threads that hand one item at a time
--   to one another, spinning with short sleeps, and locks that all threads want.
-- @lost The length of the storm: an upper bound, since some work gets done meanwhile.
-- @threshold 100000 switches/s: some 1,000 a second are normal, and a server should never be above 100,000 (PAL, "2 million
--   context switches")
-- @needs switches
-- @not_said How much of the work was of use.
-- @decide stacks: which code made the threads switch
-- @decide counters: how many instructions each cycle did
-- @sentence Up to {peak_per_s:count} context switches a second, {switches:count} within {dur:duration}; {thread} was
--   switched in most, {share:share} of the time.
-- @proof context-switches by=thread

WITH RECURSIVE
  second(ts, te) AS (
    SELECT start_ts, min(start_ts + 1000000000, end_ts) FROM etw_trace
    UNION ALL
    SELECT s.te, min(s.te + 1000000000, t.end_ts) FROM second AS s JOIN etw_trace AS t WHERE s.te < t.end_ts
  ),
  rate AS (
    SELECT s.ts, s.te, (SELECT COUNT(*) FROM etw_run AS r WHERE r.ts >= s.ts AND r.ts < s.te) AS switches
    FROM second AS s
  ),
  -- The rest of a second at the end counts as the part of a second that it is, from a tenth on.
  fast AS (
    SELECT *, switches * 1000000000 / (te - ts) AS per_s, ts - 1000000000 * row_number() OVER (ORDER BY ts) AS island
    FROM rate
    WHERE te - ts >= 100000000 AND switches * 1000000000 / (te - ts) > :threshold
  ),
  -- SQLite takes the other columns from the row of the MAX.
  peak AS (SELECT island, ts, te, switches, MAX(per_s) AS per_s FROM fast GROUP BY island),
  storm AS (
    SELECT
      MIN(f.ts) AS from_ts, MAX(f.te) AS to_ts, SUM(f.switches) AS switches, p.per_s AS peak_per_s,
      p.ts AS peak_ts, p.te AS peak_te, p.switches AS peak_switches
    FROM fast AS f
    JOIN peak AS p USING (island)
    GROUP BY island
  ),
  busiest AS (
    SELECT s.from_ts, r.utid, COUNT(*) AS runs
    FROM storm AS s
    CROSS JOIN etw_run AS r ON r.ts >= s.peak_ts AND r.ts < s.peak_te
    WHERE r.utid != 0
    GROUP BY s.from_ts, r.utid
  )
SELECT
  s.from_ts AS ts, s.to_ts - s.from_ts AS dur, b.utid, NULL AS upid,
  (s.to_ts - s.from_ts) / 1e9 AS seconds_lost,
  s.switches, s.peak_per_s,
  MAX(b.runs) * 1.0 / s.peak_switches AS share
FROM storm AS s
JOIN busiest AS b USING (from_ts)
GROUP BY s.from_ts;
