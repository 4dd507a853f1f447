-- Context switches with all that is known of both threads.
INCLUDE PERFETTO MODULE etw.stack;

INCLUDE PERFETTO MODULE etw.switch;

-- Context switches, seen from the thread that is switched in (`new_`); `old_` is the one that it displaces.
--
-- For sums over a whole trace `etw_run`, which has a row for each context switch too, takes less time.
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
  s.*,
  (
    SELECT n.callsite
    FROM etw_event_stack AS n
    WHERE n.ts = s.ts AND n.event_id = 0x0524
  ) AS new_callsite,
  (
    SELECT r.callsite
    FROM etw_event_stack AS r
    WHERE r.ts = s.ready_ts AND s.ready_cause = 'wake' AND r.event_id = 0x0532
  ) AS ready_callsite
FROM _etw_switch AS s;
