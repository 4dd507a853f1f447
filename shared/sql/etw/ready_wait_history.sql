-- Ready waits with what came before them.
INCLUDE PERFETTO MODULE etw.ready_wait;

INCLUDE PERFETTO MODULE etw.run;

-- `etw_ready_wait` with what came before: where and why the thread had left its CPU. Each row takes three look-ups: bound `ts` or
-- `utid`, or choose the waits first.
--
-- Example: what came before the longest waits:
--
--     WITH longest AS (SELECT ts, utid FROM etw_ready_wait ORDER BY dur DESC LIMIT 50)
--     SELECT h.* FROM longest JOIN etw_ready_wait_history AS h USING (ts, utid) ORDER BY h.dur DESC;
CREATE PERFETTO VIEW etw_ready_wait_history(
  -- Timestamp at which the thread became ready, as in `etw_ready_wait`.
  ts TIMESTAMP,
  -- Length of the wait in ns.
  dur DURATION,
  -- Timestamp at which the thread was switched in.
  te TIMESTAMP,
  -- The thread that waited.
  utid LONG,
  -- Timestamp of its last switch-out before the wait, as in `etw_ready_wait`.
  last_switch_out_ts TIMESTAMP,
  -- How long it was blocked between that switch-out and `ts`, in ns; 0 for `preempted`.
  blocked_ns DURATION,
  -- The CPU that it had run on.
  last_cpu LONG,
  -- Its priority at that switch-out.
  last_priority LONG,
  -- Its rank at that switch-out: exact, as `rank_before` in `etw_ready_wait`.
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
  -- Timestamp of the last ready event of the wait, as in `etw_ready_wait`.
  last_ready_ts TIMESTAMP
) AS
SELECT
  w.ts,
  w.dur,
  w.te,
  w.utid,
  w.last_switch_out_ts,
  w.ts - w.last_switch_out_ts AS blocked_ns,
  p.cpu AS last_cpu,
  p.switch_out_priority AS last_priority,
  p.rank AS last_rank,
  p.switch_out_state AS last_state,
  p.switch_out_wait_reason AS last_wait_reason,
  p.switch_out_wait_mode AS last_wait_mode,
  iif(w.cause = 'wake', r.ready_increment, NULL) AS ready_increment,
  iif(w.cause = 'wake', r.ready_adjust_reason, NULL) AS ready_adjust_reason,
  w.last_ready_ts
FROM etw_ready_wait AS w
-- `+` keeps the engine from looking up by thread, which takes three times as long as by time.
LEFT JOIN etw_run AS p ON p.te = ifnull(w.last_switch_out_ts, w.ts) AND +p.utid = w.utid
LEFT JOIN etw_run AS r ON r.ts = w.te AND +r.utid = w.utid;
