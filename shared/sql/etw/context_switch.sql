-- Context switches with all that is known of both threads.
INCLUDE PERFETTO MODULE etw.run;

INCLUDE PERFETTO MODULE etw.ready_wait;

INCLUDE PERFETTO MODULE etw.stack;

-- Context switches, seen from the thread that is switched in (`new_`); `old_` is the one that it displaces.
--
-- Each row takes seven look-ups: bound `ts` or `new_utid`. For sums over a whole trace use `etw_run`, which has a row for
-- each context switch too.
CREATE PERFETTO VIEW etw_context_switch(
  -- Timestamp of the switch.
  ts TIMESTAMP,
  -- The CPU.
  cpu LONG,
  -- The thread that starts running; 0 is the idle thread.
  new_utid LONG,
  -- The thread that stops running; 0 is the idle thread, null if it is not known: the first switch of a CPU after
  -- a gap, and the first of all from the idle thread if it is a compact one.
  old_utid LONG,
  -- Priority of the new thread.
  new_priority LONG,
  -- Priority of the old thread at this switch.
  old_priority LONG,
  -- Rank of the new thread, inferred: what Windows records when this run ends. Null as in `etw_run`.
  new_rank LONG,
  -- Rank of the old thread: recorded with this switch.
  old_rank LONG,
  -- The state that the old thread goes into, such as `Waiting`.
  old_state STRING,
  -- Why it does, such as `UserRequest`.
  old_wait_reason STRING,
  -- Who waits: `kernel` or `user`.
  old_wait_mode STRING,
  -- Timestamp at which the new thread became ready; null where no ready state was seen.
  ready_ts TIMESTAMP,
  -- The thread that made it ready; null for a wake from a DPC, and for a preempted thread.
  ready_utid LONG,
  -- How long the new thread was ready before this switch, in ns.
  ready_ns DURATION,
  -- `wake` or `preempted`, as in `etw_ready_wait`.
  ready_cause STRING,
  -- Flags of the ready event, as in `etw_run`.
  ready_flags LONG,
  -- How long ago the new thread was last switched out, in ns; null if that was before the recording.
  since_last_ns DURATION,
  -- Timestamp of that switch-out.
  last_switch_out_ts TIMESTAMP,
  -- The state that it went into then, such as `Waiting`.
  last_state STRING,
  -- Why, such as `UserRequest`.
  last_wait_reason STRING,
  -- Who waited: `kernel` or `user`.
  last_wait_mode STRING,
  -- Rank of the new thread at that switch-out.
  last_rank LONG,
  -- The CPU that it had run on.
  last_cpu LONG,
  -- CPU time that the new thread uses until it is switched out, in ns.
  run_ns DURATION,
  -- Timestamp at which the new thread is switched out; null if that was not recorded.
  switch_out_ts TIMESTAMP,
  -- How much of the new thread's priority is a boost that decays.
  new_priority_decrement LONG,
  -- Quality of service level of the new thread when this run ends, as in `etw_run`.
  new_qos LONG,
  -- C-state of the idle spell that this switch ends; null if the CPU was not idle.
  previous_c_state LONG,
  -- Stack of the new thread: where it had waited, as a `callsite` of `etw_stack_frame`; null where none was recorded.
  new_callsite LONG,
  -- Stack of the thread that made it ready, likewise. With bit 1 of `ready_flags` that thread was only interrupted.
  ready_callsite LONG
) AS
SELECT
  s.ts,
  s.cpu,
  s.utid AS new_utid,
  -- A C-state is recorded only where the idle thread was there before.
  coalesce(o.utid, f.utid, iif(s.previous_c_state IS NOT NULL, 0, NULL)) AS old_utid,
  s.priority AS new_priority,
  ifnull(o.switch_out_priority, _etw_sample_out_priority!(f.sample)) AS old_priority,
  s.rank AS new_rank,
  ifnull(o.rank, _etw_sample_rank!(f.sample)) AS old_rank,
  ifnull(o.switch_out_state, _etw_sample_out_state!(f.sample)) AS old_state,
  ifnull(o.switch_out_wait_reason, _etw_sample_out_wait_reason!(f.sample)) AS old_wait_reason,
  ifnull(o.switch_out_wait_mode, _etw_sample_out_wait_mode!(f.sample)) AS old_wait_mode,
  w.ts AS ready_ts,
  w.waker_utid AS ready_utid,
  s.ts - w.ts AS ready_ns,
  w.cause AS ready_cause,
  w.flags AS ready_flags,
  s.ts - ifnull(b.te - b.dur, iif(w.cause = 'preempted', w.ts, NULL)) AS since_last_ns,
  ifnull(b.te - b.dur, iif(w.cause = 'preempted', w.ts, NULL)) AS last_switch_out_ts,
  p.switch_out_state AS last_state,
  p.switch_out_wait_reason AS last_wait_reason,
  p.switch_out_wait_mode AS last_wait_mode,
  p.rank AS last_rank,
  p.cpu AS last_cpu,
  s.dur AS run_ns,
  iif(s.ended, s.te, NULL) AS switch_out_ts,
  s.priority_decrement AS new_priority_decrement,
  s.switch_out_qos AS new_qos,
  s.previous_c_state,
  n.callsite AS new_callsite,
  r.callsite AS ready_callsite
FROM etw_run AS s
-- Times are unique in a trace; `+` keeps the engine from looking up by thread, which takes three times as long.
LEFT JOIN etw_run AS o ON o.te = s.ts AND +o.cpu = s.cpu AND +o.ts < s.ts
LEFT JOIN _etw_run_before AS f ON f.ts = s.ts
LEFT JOIN etw_ready_wait AS w ON w.te = s.ts AND +w.utid = s.utid AND w.ended
LEFT JOIN _etw_blocked AS b ON b.te = ifnull(w.ts, s.ts) AND +b.utid = s.utid
LEFT JOIN etw_run AS p ON p.te = ifnull(b.te - b.dur, w.ts) AND +p.utid = s.utid
LEFT JOIN _etw_event_stack AS n ON n.ts = s.ts AND n.value & 0x1FFFF = 0x10524
LEFT JOIN _etw_event_stack AS r ON r.ts = iif(w.cause = 'wake', w.ts, NULL) AND r.value & 0x1FFFF = 0x10532;
