-- Waits for a CPU as they are recorded.
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
  AND (s.state = 'Waiting' OR s.ts NOT IN (
    SELECT r.te FROM _etw_run AS r WHERE r.switch_out_priority IS NULL AND r.ready_flags IS NOT NULL
  ))
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

-- How a thread's last run before a time ended, be it one from before its CPU's first switch.
CREATE PERFETTO FUNCTION _etw_last_end(
  -- The thread.
  utid LONG,
  -- The time.
  before_ts TIMESTAMP
)
RETURNS TABLE(
  -- Its rank; null where it was not recorded.
  rank LONG,
  -- Its priority; likewise.
  priority LONG
) AS
SELECT rank, priority
FROM (
  SELECT *
  FROM (
    SELECT ts, rank, switch_out_priority AS priority
    FROM _etw_run
    WHERE utid = $utid AND ts < $before_ts
    ORDER BY ts DESC
    LIMIT 1
  )
  UNION ALL
  SELECT ts, rank, switch_out_priority FROM _etw_run_before WHERE utid = $utid AND ts <= $before_ts
)
ORDER BY ts DESC
LIMIT 1;

-- What `etw_ready_wait` shows, without what follows from its other columns. `waker_utid` is null for a preempted thread. Where there
-- is no run, what is known of the rank and the priority is from the thread's run before.
CREATE PERFETTO TABLE _etw_ready_wait_recorded AS
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
  iif(r.ts IS NULL, (SELECT e.priority FROM _etw_last_end(w.utid, w.ts) AS e), r.priority) AS priority,
  iif(r.ts IS NULL, (SELECT e.rank FROM _etw_last_end(w.utid, w.ts) AS e), r.rank_before) AS rank_before,
  r.rank AS rank_after,
  r.cpu,
  iif(r.ts IS NULL, (SELECT k.ready_flags FROM _etw_ready_pending AS k WHERE k.ts = w.ts), r.ready_flags) AS flags
FROM ready AS w
-- `+` keeps the engine from looking up by thread, which takes three times as long as by time.
LEFT JOIN _etw_run AS r ON r.ts = w.te AND +r.utid = w.utid
ORDER BY w.ts;

DROP TABLE _etw_ready_again;

CREATE PERFETTO INDEX _etw_ready_wait_te ON _etw_ready_wait_recorded(te);

CREATE PERFETTO INDEX _etw_ready_wait_utid_ts ON _etw_ready_wait_recorded(utid, ts);
