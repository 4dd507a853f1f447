-- How the CPUs stood to the longest of the picked waits at :instants instants each, in the middles of as many equal parts,
-- and at the last instant before the switch-in. CPUs of which events are missing are not counted.
CREATE OR REPLACE PERFETTO TABLE _why_late_instant AS
WITH RECURSIVE
  instant(number) AS (
    SELECT 0
    UNION ALL
    SELECT number + 1 FROM instant WHERE number < :instants
  ),
  wait AS (
    SELECT ts, te, dur, utid, rank, priority
    FROM _picked_ready_wait
    ORDER BY dur DESC
    LIMIT :max_waits
  )
SELECT
  row_number() OVER () AS id,
  w.ts, w.utid, w.rank, w.priority, i.number,
  iif(
    i.number = :instants,
    w.te - 1,
    w.ts + w.dur * (2 * i.number + 1) / (2 * :instants)
  ) AS at_ts
FROM wait AS w
CROSS JOIN instant AS i;

-- What ran then, of the runs that had begun less than 1 ms before: nearly all where many threads take turns.
CREATE OR REPLACE PERFETTO TABLE _why_late_near AS
SELECT i.id, r.utid, r.rank, r.priority
FROM _why_late_instant AS i
CROSS JOIN etw_run AS r
WHERE r.ts > i.at_ts - 1000000 AND r.ts <= i.at_ts AND r.te > i.at_ts;

WITH
  complete AS (
    SELECT id FROM _why_late_near GROUP BY id HAVING COUNT(*) >= :cpu_count
  ),
  -- Longer runs are looked for only where a CPU is left.
  ran AS (
    SELECT id, utid, rank, priority FROM _why_late_near
    UNION ALL
    SELECT i.id, r.utid, r.rank, r.priority
    FROM _why_late_instant AS i
    CROSS JOIN etw_run AS r
    WHERE
      i.id NOT IN complete
      AND r.ts > i.at_ts - 10000000 AND r.ts <= i.at_ts - 1000000 AND r.te > i.at_ts
    UNION ALL
    SELECT i.id, r.utid, r.rank, r.priority
    FROM _why_late_instant AS i
    CROSS JOIN _etw_long_run AS r
    WHERE i.id NOT IN complete AND r.ts <= i.at_ts - 10000000 AND r.te > i.at_ts
  ),
  standing AS (
    SELECT
      i.ts, i.utid, i.number,
      _why_late_standing!(r.utid, r.rank, r.priority, i.rank, i.priority) AS standing
    FROM ran AS r
    JOIN _why_late_instant AS i USING (id)
    WHERE NOT EXISTS (
      SELECT 1 FROM etw_loss AS g WHERE g.dur > 0 AND g.ts <= i.at_ts AND g.ts + g.dur > i.at_ts
    )
  )
SELECT
  ts, utid, number,
  SUM(standing = 'better_rank') AS better_rank,
  SUM(standing = 'priority') AS priority,
  SUM(standing = 'behind') AS behind,
  SUM(standing = 'unknown') AS unknown,
  SUM(standing = 'idle') AS idle
FROM standing
GROUP BY ts, utid, number
ORDER BY ts, utid, number;
