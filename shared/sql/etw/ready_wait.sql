-- Who was ready to run and did not, and for how long.
INCLUDE PERFETTO MODULE etw.run;

-- Waits other than for a CPU that were seen to end: what comes between a switch-out and a ready event. After a compact context
-- switch, which does not tell the state, also what comes before the next run: it may be a wait for a CPU.
CREATE PERFETTO TABLE _etw_blocked AS
SELECT s.ts + s.dur AS te, s.dur, s.utid
FROM __intrinsic_thread_state AS s
WHERE
  -- The engine finds these in the column; only of what it finds are rows read.
  s.state IN ('Waiting', 'Initialized')
  -- But for a run that a gap cut, of which no end is recorded.
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

-- What `etw_ready_wait` shows, without what follows from its other columns. `waker_utid` is null for a preempted thread.
-- `outcome` is one number, since the engine builds a table at 8 bytes a cell: priority (6 bits, 63 for null), rank (8, 255
-- for null), flags (7, 127 for null; 32 is added where the rank is of the previous run) and CPU + 1, from the lowest bit on.
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
  -- Where there is no run, or it was still open, what is known is the sample of the one before: dear, hence asked only then.
  ifnull(
    iif(
      r.ts IS NULL,
      _etw_sample_out_priority!(_etw_sample_before(w.utid, w.ts)),
      r.priority
    ),
    63
  )
    | (
      iif(
        r.ts IS NULL OR NOT _etw_sample_ended!(r.sample),
        ifnull(r.rank, ifnull(_etw_sample_before(w.utid, w.ts) & 255, 255)),
        ifnull(r.rank, 255)
      ) << 6
    )
    | (
      ifnull(
        iif(
          r.ts IS NULL OR NOT _etw_sample_ended!(r.sample),
          iif(
            r.ts IS NULL,
            (SELECT k.ready_flags FROM _etw_ready_pending AS k WHERE k.ts = w.ts),
            r.sample >> 27 & 31
          )
            + iif(r.rank IS NULL AND _etw_sample_before(w.utid, w.ts) & 255 != 255, 32, 0),
          r.sample >> 27 & 31
        ),
        127
      ) << 14
    )
    | (ifnull(r.cpu + 1, 0) << 21) AS outcome
FROM ready AS w
-- `+` keeps the engine from looking up by thread, which takes three times as long as by time.
LEFT JOIN _etw_run AS r ON r.ts = w.te AND +r.utid = w.utid
ORDER BY w.ts;

DROP TABLE _etw_ready_again;

CREATE PERFETTO INDEX _etw_ready_wait_te ON _etw_ready_wait_packed(te);

CREATE PERFETTO INDEX _etw_ready_wait_utid_ts ON _etw_ready_wait_packed(utid, ts);

CREATE PERFETTO VIEW _etw_ready_wait AS
SELECT
  ts,
  dur,
  te,
  utid,
  waker_utid,
  nullif(outcome & 63, 63) AS priority,
  nullif(outcome >> 6 & 255, 255) AS rank,
  nullif((outcome >> 21) - 1, -1) AS cpu,
  nullif(outcome >> 14 & 127, 127) AS flags,
  outcome
FROM _etw_ready_wait_packed;

-- Whether a thread blocked where a compact context switch ended its run, which does not tell: one that did is made ready before
-- it runs again. So did one that never ran again, and any where no ready events are recorded.
CREATE PERFETTO FUNCTION _etw_was_blocked(
  -- The thread.
  utid LONG,
  -- End of the run.
  te TIMESTAMP
)
RETURNS LONG AS
SELECT
  ifnull(
    (SELECT ready_threads = 0 FROM etw_trace)
      OR (
        SELECT min(w.ts) FROM _etw_ready_wait_packed AS w
        WHERE w.utid = $utid AND w.ts >= $te AND w.waker_utid IS NOT NULL
      ) < (SELECT min(r.ts) FROM _etw_run AS r WHERE r.utid = $utid AND r.ts >= $te),
    NOT EXISTS (SELECT 1 FROM _etw_run AS r WHERE r.utid = $utid AND r.ts >= $te)
  );

-- Waits of threads that could have run and did not.
CREATE PERFETTO VIEW etw_ready_wait(
  -- Timestamp at which the thread became ready: of the first ready event (`wake`), or of the switch-out (`preempted`).
  ts TIMESTAMP,
  -- Length of the wait in ns; where it was not seen to end, to the trace's end.
  dur DURATION,
  -- Timestamp at which the thread was switched in (`ts + dur`).
  te TIMESTAMP,
  -- 1 if the thread was switched in at `te`; 0 if the wait was not seen to end.
  ended LONG,
  -- `wake`: a ready event ended a wait for something else. `preempted`: it was ready when it was switched out.
  cause STRING,
  -- The thread that waited.
  utid LONG,
  -- The thread that made it ready; null for `preempted`, and for a wake from a DPC, which belongs to no thread.
  waker_utid LONG,
  -- 1 for a wake from a DPC, 0 for one from a thread; null for `preempted`.
  waker_in_dpc LONG,
  -- Priority at the switch-in; for a wait that did not end, at the thread's last switch-out.
  priority LONG,
  -- Rank during the wait, inferred: Windows records it at a switch-out only. See `rank_source`.
  rank LONG,
  -- Where `rank` comes from. `next_run`: the switch-out after the wait. `previous_run`: the one before it, where the
  -- wait or the run after it was still open. Null where no rank was recorded.
  rank_source STRING,
  -- The CPU that it then ran on; null if the wait did not end.
  cpu LONG,
  -- Flags of the ready event, as in `etw_run`; null for `preempted`.
  flags LONG
) AS
SELECT
  ts,
  dur,
  te,
  cpu IS NOT NULL AS ended,
  iif(waker_utid IS NULL, 'preempted', 'wake') AS cause,
  utid,
  nullif(waker_utid, 0) AS waker_utid,
  iif(waker_utid IS NULL, NULL, flags & 1) AS waker_in_dpc,
  priority,
  rank,
  iif(rank IS NULL, NULL, iif(cpu IS NULL OR flags & 32, 'previous_run', 'next_run')) AS rank_source,
  cpu,
  iif(waker_utid IS NULL, NULL, flags & 31) AS flags
FROM _etw_ready_wait;

-- `etw_ready_wait` with what came before: where and why the thread had left its CPU. Bound `ts`, `dur` or `utid`, since
-- each row takes three look-ups.
CREATE PERFETTO VIEW etw_ready_wait_history(
  -- Timestamp at which the thread became ready, as in `etw_ready_wait`.
  ts TIMESTAMP,
  -- Length of the wait in ns.
  dur DURATION,
  -- Timestamp at which the thread was switched in.
  te TIMESTAMP,
  -- The thread that waited.
  utid LONG,
  -- Timestamp of its last switch-out before the wait; null if that was before the recording.
  last_switch_out_ts TIMESTAMP,
  -- How long it was blocked between that switch-out and `ts`, in ns; 0 for `preempted`.
  blocked_ns DURATION,
  -- The CPU that it had run on.
  last_cpu LONG,
  -- Its priority at that switch-out.
  last_priority LONG,
  -- Its rank at that switch-out: exact. If it differs from `rank` in `etw_ready_wait`, the rank changed meanwhile.
  last_rank LONG,
  -- The state that it went into, such as `Waiting` or `Ready`.
  last_state STRING,
  -- Why, such as `UserRequest` or `WrQuantumEnd`.
  last_wait_reason STRING,
  -- Who waited: `kernel` or `user`.
  last_wait_mode STRING,
  -- Priority increment of the ready event; null for `preempted` and for a wait that did not end.
  ready_increment LONG,
  -- How Windows applied it, as in `etw_run`.
  ready_adjust_reason LONG,
  -- Timestamp of the last ready event of the wait, if it had several: only from then on could the thread run. Windows
  -- makes a thread ready again once its stack or its process is back in memory. Null if there was one only.
  last_ready_ts TIMESTAMP
) AS
SELECT
  w.ts,
  w.dur,
  w.te,
  w.utid,
  ifnull(b.te - b.dur, iif(w.cause = 'preempted', w.ts, NULL)) AS last_switch_out_ts,
  ifnull(b.dur, iif(w.cause = 'preempted', 0, NULL)) AS blocked_ns,
  p.cpu AS last_cpu,
  p.switch_out_priority AS last_priority,
  p.rank AS last_rank,
  p.switch_out_state AS last_state,
  p.switch_out_wait_reason AS last_wait_reason,
  p.switch_out_wait_mode AS last_wait_mode,
  iif(w.cause = 'wake', r.ready_increment, NULL) AS ready_increment,
  iif(w.cause = 'wake', r.ready_adjust_reason, NULL) AS ready_adjust_reason,
  (
    SELECT max(n.ts)
    FROM _etw_ready_repeat AS n
    WHERE n.utid = w.utid AND n.ts > w.ts AND n.ts < w.te
  ) AS last_ready_ts
FROM etw_ready_wait AS w
LEFT JOIN _etw_blocked AS b ON b.te = w.ts AND +b.utid = w.utid
LEFT JOIN etw_run AS p ON p.te = ifnull(b.te - b.dur, w.ts) AND +p.utid = w.utid
LEFT JOIN etw_run AS r ON r.ts = w.te AND +r.utid = w.utid;
