-- Waits for a CPU as they are recorded, with their facts packed.
INCLUDE PERFETTO MODULE etw.run;

-- Waits other than for a CPU that were seen to end: what comes between a switch-out and a ready event. After a compact context
-- switch, which does not tell the state, also what comes before the next run: it may be a wait for a CPU.
CREATE PERFETTO TABLE _etw_blocked AS
SELECT s.ts + s.dur AS te, s.dur, s.utid
FROM __intrinsic_thread_state AS s
WHERE
  -- The engine finds these in the column; only of what it finds are rows read.
  s.state IN ('Waiting', 'Initialized')
  -- Left out: a run that a gap cut. Its end is not recorded.
  AND (s.state = 'Waiting' OR s.ts NOT IN (SELECT r.te FROM _etw_run AS r WHERE NOT _etw_sample_ended!(r.sample)))
  AND s.dur >= 0
  AND EXISTS (SELECT 1 FROM etw_trace)
ORDER BY s.ts;

CREATE PERFETTO INDEX _etw_blocked_te ON _etw_blocked(te);

-- Perfetto splits the ready state of a preempted thread where a ready event comes in. The second part, by its id.
CREATE PERFETTO TABLE _etw_ready_again AS
SELECT r.id, p.id AS first_id, iif(r.dur < 0, r.dur, r.ts + r.dur) AS te
FROM __intrinsic_thread_state AS p
CROSS JOIN __intrinsic_thread_state AS r
WHERE
  p.state IN ('Ready', 'Standby', 'DeferredReady')
  AND p.dur >= 0
  AND r.ts = p.ts + p.dur
  AND r.utid = p.utid
  AND r.state = 'R'
ORDER BY p.id;

-- Ready events for threads that already were ready: the importer keeps no state for them.
CREATE PERFETTO TABLE _etw_ready_repeat AS
SELECT r.ts, r.utid
FROM spurious_sched_wakeup AS r
JOIN __intrinsic_thread_state AS s ON s.id = r.thread_state_id
WHERE s.state = 'R' AND EXISTS (SELECT 1 FROM etw_trace)
ORDER BY r.ts;

CREATE PERFETTO INDEX _etw_ready_repeat_utid ON _etw_ready_repeat(utid);

-- Ready events that had not led to a run when the trace ended.
CREATE PERFETTO TABLE _etw_ready_pending AS
SELECT
  extract_arg(arg_set_id, 'debug.ready_ts') AS ts,
  extract_arg(arg_set_id, 'debug.ready_flags') AS ready_flags
FROM slice
WHERE name = 'etw.ready_pending'
ORDER BY ts;

-- The sample of a thread's last run before a time, be it one from before its CPU's first switch.
CREATE PERFETTO FUNCTION _etw_sample_before(
  -- The thread.
  utid LONG,
  -- The time.
  before_ts TIMESTAMP
)
RETURNS LONG AS
SELECT
  ifnull(
    (
      SELECT sample
      FROM _etw_run
      WHERE utid = $utid AND ts < $before_ts
      ORDER BY ts DESC
      LIMIT 1
    ),
    (SELECT sample FROM _etw_run_before WHERE utid = $utid AND ts <= $before_ts)
  );

-- The rank that was recorded where the thread's last run before a time ended; null where it was not.
CREATE PERFETTO MACRO _etw_rank_before(
  -- The thread.
  utid Expr,
  -- The time.
  before_ts Expr
)
RETURNS Expr AS _etw_sample_rank!(_etw_sample_before($utid, $before_ts));

-- What `etw_ready_wait` shows, without what follows from its other columns. `waker_utid` is null for a preempted thread.
-- `outcome` is one number, since the engine builds a table at 8 bytes a cell: priority (6 bits, 63 for null), rank (8, 255
-- for null), flags (6, 63 for null), where the rank was recorded (3) and CPU + 1, from the lowest bit on.
--
-- Where the rank was recorded: 0 nowhere, 1 before and after the wait, 2 before it, 3 after it, 4 before it, and another one
-- after it.
CREATE PERFETTO TABLE _etw_ready_wait_packed AS
WITH
  -- `te` is -1 for a wait that was still open at the trace's end.
  ready AS (
    SELECT
      s.ts,
      iif(
        s.dur < 0,
        -1,
        iif(
          s.state = 'R',
          s.ts + s.dur,
          ifnull((SELECT a.te FROM _etw_ready_again AS a WHERE a.first_id = s.id), s.ts + s.dur)
        )
      ) AS te,
      s.state = 'R' AS woken,
      s.utid,
      s.waker_utid
    FROM __intrinsic_thread_state AS s
    WHERE
      s.state IN ('R', 'Ready', 'Standby', 'DeferredReady')
      AND s.id NOT IN (SELECT id FROM _etw_ready_again)
      AND EXISTS (SELECT 1 FROM etw_trace)
    ORDER BY s.ts
  )
SELECT
  w.ts,
  iif(r.ts IS NULL, iif(w.te = -1, trace_end(), w.te), r.ts) - w.ts AS dur,
  iif(r.ts IS NULL, iif(w.te = -1, trace_end(), w.te), r.ts) AS te,
  w.utid,
  iif(w.woken, ifnull(w.waker_utid, 0), NULL) AS waker_utid,
  -- Where there is no run, what is known is the sample of the one before: dear, hence asked only then.
  ifnull(iif(r.ts IS NULL, _etw_sample_out_priority!(_etw_sample_before(w.utid, w.ts)), r.priority), 63)
    | (
      ifnull(
        CASE
          WHEN r.ts IS NULL THEN _etw_rank_before!(w.utid, w.ts)
          WHEN r.ts IN (SELECT ts FROM _etw_other_rank_before)
          THEN ifnull((SELECT b.rank FROM _etw_other_rank_before AS b WHERE b.ts = r.ts), r.rank)
          ELSE r.rank
        END,
        255
      ) << 6
    )
    | (
      ifnull(
        iif(
          r.ts IS NULL,
          (SELECT k.ready_flags FROM _etw_ready_pending AS k WHERE k.ts = w.ts),
          r.sample >> 27 & 31
        ),
        63
      ) << 14
    )
    | (
      CASE
        WHEN r.ts IS NULL THEN iif(_etw_rank_before!(w.utid, w.ts) IS NULL, 0, 2)
        WHEN r.ts NOT IN (SELECT ts FROM _etw_other_rank_before) THEN iif(r.rank IS NULL, 0, 1)
        WHEN r.rank IS NULL THEN 2
        WHEN (SELECT b.rank FROM _etw_other_rank_before AS b WHERE b.ts = r.ts) IS NULL THEN 3
        ELSE 4
      END << 20
    )
    | (ifnull(r.cpu + 1, 0) << 23) AS outcome
FROM ready AS w
-- `+` keeps the engine from looking up by thread, which takes three times as long as by time.
LEFT JOIN _etw_run AS r ON r.ts = w.te AND +r.utid = w.utid
ORDER BY w.ts;

DROP TABLE _etw_ready_again;

CREATE PERFETTO INDEX _etw_ready_wait_te ON _etw_ready_wait_packed(te);

CREATE PERFETTO INDEX _etw_ready_wait_utid_ts ON _etw_ready_wait_packed(utid, ts);
