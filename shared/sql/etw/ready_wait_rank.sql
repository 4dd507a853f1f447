-- At which rank a thread waited whose rank changed: what ran meanwhile speaks for one of two recorded ranks.
INCLUDE PERFETTO MODULE etw.interrupt;

INCLUDE PERFETTO MODULE etw.ran;

INCLUDE PERFETTO MODULE etw.ready_wait_held;

INCLUDE PERFETTO MODULE etw.ready_wait_recorded;

INCLUDE PERFETTO MODULE etw.run;

-- How many runs begin in 10 ms, 1 at least: what a look at a trace costs.
CREATE PERFETTO TABLE _etw_run_density AS
SELECT max(1, (SELECT COUNT(*) FROM _etw_run) * 10000000 / max(1, end_ts - start_ts)) AS runs_in_10_ms
FROM etw_trace;

-- The longest waits before and after which different ranks were recorded. Each is looked at in 8 windows, and each window
-- costs a look at the 10 ms before it.
CREATE PERFETTO TABLE _etw_rank_doubt AS
SELECT
  w.ts, w.te, w.dur, w.utid, w.cpu, w.priority, w.flags,
  w.rank_before,
  w.rank_after,
  min(w.rank_before, w.rank_after) AS better,
  max(w.rank_before, w.rank_after) AS worse
FROM _etw_ready_wait_recorded AS w
WHERE w.rank_before != w.rank_after
ORDER BY w.dur DESC, w.ts
LIMIT ifnull((SELECT max(20, min(1000, 250000 / runs_in_10_ms)) FROM _etw_run_density), 0);

-- What is looked at: 8 windows of each wait, which together are the whole wait where the waits are short enough for that.
CREATE PERFETTO TABLE _etw_rank_window AS
WITH RECURSIVE
  part(number) AS (
    SELECT 0
    UNION ALL
    SELECT number + 1 FROM part WHERE number < 7
  ),
  share AS (
    SELECT
      min(1.0, 300000.0 * 10000000 / max(1, (SELECT SUM(dur) FROM _etw_rank_doubt) * runs_in_10_ms)) AS share
    FROM _etw_run_density
  ),
  eighth AS (
    SELECT d.ts AS wait_ts, d.ts + d.dur * number / 8 AS ts, d.ts + d.dur * (number + 1) / 8 AS te
    FROM _etw_rank_doubt AS d
    CROSS JOIN part
  )
SELECT
  row_number() OVER (ORDER BY wait_ts, ts) AS id,
  wait_ts,
  ts + CAST((te - ts) * (1 - share) / 2 AS INT) AS ts,
  te - CAST((te - ts) * (1 - share) / 2 AS INT) AS te
FROM eighth
CROSS JOIN share
WHERE te > ts
ORDER BY id;

-- 1 if a run goes before a thread of a rank and a priority, 0 if not; 0 too where that is not known.
CREATE PERFETTO MACRO _etw_goes_first(
  utid Expr,
  rank Expr,
  priority Expr,
  wait_rank Expr,
  wait_priority Expr
)
RETURNS Expr AS
(
  $utid != 0
  AND ifnull($rank < $wait_rank OR ($rank = $wait_rank AND $priority >= $wait_priority), $priority >= $wait_priority)
);

-- Spans of the windows in which a CPU would have run the thread by the order of the scheduler, had the thread had the better
-- (`at_better`) or the worse rank (`at_worse`), or in which the CPU could not (`closed`). CPU -1 stands for none: what held
-- the thread, or what is not known.
CREATE PERFETTO TABLE _etw_rank_span AS
WITH
  ran AS (
    SELECT w.id, w.wait_ts, r.ts, r.te, r.cpu, r.utid, r.rank, r.priority
    FROM _etw_rank_window AS w
    CROSS JOIN _etw_run AS r
    WHERE r.ts > w.ts - 10000000 AND r.ts < w.te AND r.te > w.ts
    UNION ALL
    SELECT w.id, w.wait_ts, r.ts, r.te, r.cpu, r.utid, r.rank, r.priority
    FROM _etw_rank_window AS w
    CROSS JOIN _etw_long_run AS r
    WHERE r.ts <= w.ts - 10000000 AND r.te > w.ts
  ),
  unknown AS MATERIALIZED (
    SELECT cpu, ts, te FROM _etw_cpu_gap
    UNION ALL
    SELECT c.cpu, t.start_ts, ifnull((SELECT MIN(r.ts) FROM _etw_run AS r WHERE r.cpu = c.cpu), t.end_ts)
    FROM etw_cpu AS c
    CROSS JOIN etw_trace AS t
    WHERE EXISTS (SELECT 1 FROM _etw_rank_doubt)
  ),
  unusable AS MATERIALIZED (
    SELECT b.wait_ts, b.ts, b.te, c.cpu
    FROM _etw_ready_wait_bound!(_etw_rank_doubt) AS b
    CROSS JOIN etw_cpu AS c
    WHERE c.cpu NOT IN (SELECT value FROM json_each(b.cpus))
  ),
  span AS (
    SELECT
      ran.id, ran.cpu, ran.ts, ran.te,
      NOT _etw_goes_first!(ran.utid, ran.rank, ran.priority, d.better, d.priority) AS at_better,
      NOT _etw_goes_first!(ran.utid, ran.rank, ran.priority, d.worse, d.priority) AS at_worse,
      0 AS closed
    FROM ran
    JOIN _etw_rank_doubt AS d ON d.ts = ran.wait_ts
    UNION ALL
    SELECT w.id, u.cpu, u.ts, u.te, 1, 1, 0
    FROM unknown AS u
    JOIN _etw_rank_window AS w ON u.ts < w.te AND u.te > w.ts
    UNION ALL
    SELECT w.id, i.cpu, i.ts, i.te, 0, 0, 1
    FROM _etw_rank_window AS w
    CROSS JOIN _etw_interrupt AS i
    WHERE
      i.te > w.ts AND i.te < w.te + 1000000 AND i.ts < w.te
      AND i.source NOT IN (SELECT s.source FROM _etw_interrupt_source AS s WHERE s.kind = 'threaded_dpc')
    UNION ALL
    SELECT w.id, i.cpu, i.ts, i.te, 0, 0, 1
    FROM _etw_rank_window AS w
    CROSS JOIN _etw_long_interrupt AS i
    WHERE
      i.te >= w.te + 1000000 AND i.ts < w.te
      AND i.source NOT IN (SELECT s.source FROM _etw_interrupt_source AS s WHERE s.kind = 'threaded_dpc')
    UNION ALL
    SELECT w.id, u.cpu, u.ts, u.te, 0, 0, 1
    FROM unusable AS u
    JOIN _etw_rank_window AS w ON w.wait_ts = u.wait_ts AND u.ts < w.te AND u.te > w.ts
    UNION ALL
    SELECT w.id, -1, h.ts, h.te, 1, 1, 0
    FROM _etw_ready_wait_held!(_etw_rank_doubt) AS h
    JOIN _etw_rank_window AS w ON w.wait_ts = h.wait_ts AND h.ts < w.te AND h.te > w.ts
  )
SELECT s.id, s.cpu, max(s.ts, w.ts) AS ts, min(s.te, w.te) AS te, s.at_better, s.at_worse, s.closed
FROM span AS s
JOIN _etw_rank_window AS w USING (id)
WHERE s.at_better OR s.closed;

-- How long in all the order of the scheduler explains each wait at the better and at the worse rank.
CREATE PERFETTO TABLE _etw_rank_evidence AS
WITH
  change AS (
    SELECT id, cpu, ts, at_better, at_worse, closed FROM _etw_rank_span
    UNION ALL
    SELECT id, cpu, te, -at_better, -at_worse, -closed FROM _etw_rank_span
  ),
  summed AS (
    SELECT id, cpu, ts, SUM(at_better) AS at_better, SUM(at_worse) AS at_worse, SUM(closed) AS closed
    FROM change
    GROUP BY id, cpu, ts
  ),
  level AS (
    SELECT
      id, cpu, ts,
      SUM(at_better) OVER cpu AS at_better,
      SUM(at_worse) OVER cpu AS at_worse,
      SUM(closed) OVER cpu AS closed
    FROM summed
    WINDOW cpu AS (PARTITION BY id, cpu ORDER BY ts)
  ),
  free AS (
    SELECT
      id, cpu, ts,
      at_better > 0 AND closed = 0 AS at_better,
      at_worse > 0 AND closed = 0 AS at_worse
    FROM level
  ),
  step AS (
    SELECT
      id, ts,
      at_better - lag(at_better, 1, 0) OVER cpu AS at_better,
      at_worse - lag(at_worse, 1, 0) OVER cpu AS at_worse
    FROM free
    WINDOW cpu AS (PARTITION BY id, cpu ORDER BY ts)
    UNION ALL
    SELECT id, ts, 0, 0 FROM _etw_rank_window
    UNION ALL
    SELECT id, te, 0, 0 FROM _etw_rank_window
  ),
  at AS (
    SELECT id, ts, SUM(at_better) AS at_better, SUM(at_worse) AS at_worse
    FROM step
    GROUP BY id, ts
  ),
  stretch AS (
    SELECT
      id,
      lead(ts, 1, ts) OVER (PARTITION BY id ORDER BY ts) - ts AS dur,
      SUM(at_better) OVER (PARTITION BY id ORDER BY ts) AS at_better,
      SUM(at_worse) OVER (PARTITION BY id ORDER BY ts) AS at_worse
    FROM at
  )
SELECT
  w.wait_ts,
  SUM(s.dur) AS looked_at_ns,
  SUM(iif(s.at_better = 0, s.dur, 0)) AS better_ns,
  SUM(iif(s.at_worse = 0, s.dur, 0)) AS worse_ns
FROM stretch AS s
JOIN _etw_rank_window AS w USING (id)
GROUP BY w.wait_ts
ORDER BY w.wait_ts;

-- Ready waits before and after which different ranks were recorded, and which one the thread waited at. The thread's rank
-- changed at an unknown time between: before the wait, in it, or in the run that followed.
--
-- A rank explains the time in which each CPU that the thread may use ran what goes before a thread of that rank. The worse of
-- two ranks explains all that the better one does. So the rank from before the wait stands, unless
--
-- - it is the better one, and the other one explains at least half of the wait that it does not, and half a tick of the clock;
-- - it is the worse one, explains nothing more (100 µs at most), and the thread then put aside another that went before it.
--
-- Judged are the longest of these waits, 1000 at most; of long ones parts are looked at, and times scaled up.
CREATE PERFETTO TABLE etw_ready_wait_rank(
  -- Timestamp at which the thread became ready, as in `etw_ready_wait`.
  ts TIMESTAMP,
  -- Length of the wait in ns.
  dur DURATION,
  -- The thread that waited.
  utid LONG,
  -- Rank at the thread's last switch-out before the wait.
  rank_before LONG,
  -- Rank at the end of the run after the wait.
  rank_after LONG,
  -- The one that it is taken to have waited at.
  rank LONG,
  -- How much of the wait is explained at `rank_before`, in ns.
  before_explains_ns DURATION,
  -- How much of the wait is explained at `rank_after`, in ns.
  after_explains_ns DURATION,
  -- 1 if the thread put aside another at the end of the wait that went before a thread of the worse rank.
  put_aside_better LONG
) AS
WITH
  seen AS (
    SELECT
      d.*,
      CAST(e.better_ns * (d.dur * 1.0 / e.looked_at_ns) AS INT) AS better_ns,
      CAST(e.worse_ns * (d.dur * 1.0 / e.looked_at_ns) AS INT) AS worse_ns,
      EXISTS (
        SELECT 1
        FROM _etw_run AS o
        WHERE
          o.te = d.te AND +o.cpu = d.cpu AND o.utid != 0
          AND o.switch_out_state = 'Ready'
          AND (o.rank < d.worse OR (o.rank = d.worse AND o.switch_out_priority > d.priority))
      ) AS put_aside_better
    FROM _etw_rank_doubt AS d
    JOIN _etw_rank_evidence AS e ON e.wait_ts = d.ts
    WHERE e.looked_at_ns > 0
  ),
  explained AS (SELECT *, worse_ns - better_ns AS more_ns FROM seen)
SELECT
  ts, dur, utid, rank_before, rank_after,
  iif(
    rank_before = better,
    iif(more_ns * 2 >= max(dur, _etw_tick_ns()), rank_after, rank_before),
    iif(more_ns <= 100000 AND put_aside_better, rank_after, rank_before)
  ) AS rank,
  iif(rank_before = better, better_ns, worse_ns) AS before_explains_ns,
  iif(rank_before = better, worse_ns, better_ns) AS after_explains_ns,
  put_aside_better
FROM explained
ORDER BY ts;

DROP TABLE _etw_rank_evidence;

DROP TABLE _etw_rank_span;

DROP TABLE _etw_rank_window;

DROP TABLE _etw_rank_doubt;

DROP TABLE _etw_run_density;
