-- How the CPUs stood to the waits of the table `_picked_ready_wait` at :instants instants each, in the middles of as many equal parts,
-- and at the last instant before the switch-in. CPUs of which events are missing are not counted.
CREATE OR REPLACE PERFETTO TABLE _why_late_instant AS
WITH RECURSIVE
  instant(number) AS (
    SELECT 0
    UNION ALL
    SELECT number + 1 FROM instant WHERE number < :instants
  )
SELECT
  row_number() OVER () AS id,
  w.ts, w.utid, w.rank, w.priority, w.cpu, i.number,
  iif(
    i.number = :instants,
    w.te - 1,
    w.ts + w.dur * (2 * i.number + 1) / (2 * :instants)
  ) AS at_ts
FROM _picked_ready_wait AS w
CROSS JOIN instant AS i;

-- What ran then, of the runs that had begun less than 1 ms before: nearly all where many threads take turns.
CREATE OR REPLACE PERFETTO TABLE _why_late_near AS
SELECT i.id, r.cpu, r.utid, r.rank, r.priority
FROM _why_late_instant AS i
CROSS JOIN etw_run AS r
WHERE r.ts > i.at_ts - 1000000 AND r.ts <= i.at_ts AND r.te > i.at_ts;

-- The CPUs that were in a DPC or an ISR then. A threaded DPC is a thread's work.
CREATE OR REPLACE PERFETTO TABLE _why_late_interrupted AS
WITH
  interrupted AS (
    SELECT i.id, n.cpu, n.source
    FROM _why_late_instant AS i
    CROSS JOIN _etw_interrupt AS n
    WHERE n.te > i.at_ts AND n.te < i.at_ts + 1000000 AND n.ts <= i.at_ts
    UNION ALL
    SELECT i.id, n.cpu, n.source
    FROM _why_late_instant AS i
    CROSS JOIN _etw_long_interrupt AS n
    WHERE n.te >= i.at_ts + 1000000 AND n.ts <= i.at_ts
  )
SELECT DISTINCT id, cpu
FROM interrupted
WHERE source NOT IN (SELECT source FROM _etw_interrupt_source WHERE kind = 'threaded_dpc')
ORDER BY id;

-- 1 if a thread that waits may use a CPU at an instant, else 0. A correlated subquery is dear for each CPU of each instant: none where
-- there is nothing to find.
CREATE OR REPLACE PERFETTO MACRO _why_late_is_usable(
  cpu Expr,
  wait_ts Expr,
  utid Expr,
  at_ts Expr
)
RETURNS Expr AS
(
  iif(
    EXISTS (SELECT 1 FROM _why_late_bound),
    ifnull(
      (
        SELECT c.cpu_group IS b.cpu_group AND b.mask >> c.number & 1
        FROM _why_late_bound AS b
        JOIN etw_cpu AS c ON c.cpu = $cpu
        WHERE b.wait_ts = $wait_ts AND b.utid = $utid AND b.ts <= $at_ts AND b.te > $at_ts
      ),
      1
    ),
    1
  )
);

WITH
  complete AS (
    SELECT id FROM _why_late_near GROUP BY id HAVING COUNT(*) >= :cpu_count
  ),
  -- Longer runs are looked for only where a CPU is left.
  ran AS (
    SELECT id, cpu, utid, rank, priority FROM _why_late_near
    UNION ALL
    SELECT i.id, r.cpu, r.utid, r.rank, r.priority
    FROM _why_late_instant AS i
    CROSS JOIN etw_run AS r
    WHERE
      i.id NOT IN complete
      AND r.ts > i.at_ts - 10000000 AND r.ts <= i.at_ts - 1000000 AND r.te > i.at_ts
    UNION ALL
    SELECT i.id, r.cpu, r.utid, r.rank, r.priority
    FROM _why_late_instant AS i
    CROSS JOIN _etw_long_run AS r
    WHERE i.id NOT IN complete AND r.ts <= i.at_ts - 10000000 AND r.te > i.at_ts
  ),
  -- Where events of a CPU are missing that the thread may use, it may have run there.
  lost AS MATERIALIZED (
    SELECT DISTINCT i.id
    FROM _etw_cpu_gap AS g
    CROSS JOIN _why_late_instant AS i
    WHERE
      g.ts <= i.at_ts AND g.te > i.at_ts
      AND _why_late_is_usable!(g.cpu, i.ts, i.utid, i.at_ts)
  ),
  standing AS (
    SELECT
      i.id,
      _why_late_standing!(r.utid, r.rank, r.priority, i.rank, i.priority) AS standing,
      _why_late_is_usable!(r.cpu, i.ts, i.utid, i.at_ts) AS is_usable,
      (i.id << 16 | r.cpu) IN (SELECT id << 16 | cpu FROM _why_late_interrupted) AS is_interrupted,
      r.cpu IS i.cpu AS takes_it
    FROM ran AS r
    CROSS JOIN _why_late_instant AS i ON i.id = r.id
  ),
  used AS MATERIALIZED (
    SELECT id, _why_late_use!(standing, is_usable, is_interrupted, takes_it) AS cpu_use FROM standing
  ),
  counted AS (
    SELECT
      id,
      SUM(cpu_use NOT IN ('free_elsewhere', 'elsewhere')) AS usable,
      SUM(cpu_use = 'better_rank') AS better_rank,
      SUM(cpu_use = 'priority') AS priority,
      SUM(cpu_use = 'behind') AS behind,
      SUM(cpu_use = 'unknown') AS unknown,
      SUM(cpu_use = 'idle') AS idle,
      SUM(cpu_use = 'interrupt') AS interrupt,
      SUM(cpu_use = 'taking_interrupt') AS taking_interrupt,
      SUM(cpu_use = 'free_elsewhere') AS free_elsewhere,
      SUM(cpu_use = 'elsewhere') AS elsewhere
    FROM used
    GROUP BY id
  )
SELECT
  i.ts, i.utid, i.number,
  (
    SELECT h.why
    FROM _why_late_held AS h
    WHERE h.wait_ts = i.ts AND h.utid = i.utid AND h.ts <= i.at_ts AND h.te > i.at_ts
    ORDER BY h.why
    LIMIT 1
  ) AS held,
  i.id IN lost AS may_have_run,
  max(
    0,
    ifnull(
      (
        SELECT b.cpu_count
        FROM _why_late_bound AS b
        WHERE b.wait_ts = i.ts AND b.utid = i.utid AND b.ts <= i.at_ts AND b.te > i.at_ts
      ),
      :cpu_count
    ) - ifnull(u.usable, 0)
  ) AS missing,
  u.better_rank, u.priority, u.behind, u.unknown, u.idle, u.interrupt, u.taking_interrupt, u.free_elsewhere, u.elsewhere
FROM _why_late_instant AS i
LEFT JOIN counted AS u USING (id)
ORDER BY i.ts, i.utid, i.number;
