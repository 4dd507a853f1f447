-- Context switches without stacks.
INCLUDE PERFETTO MODULE etw.ready_wait;

INCLUDE PERFETTO MODULE etw.run;

-- What `etw_context_switch` has but for stacks. A trace's outline has it in columns.
CREATE PERFETTO VIEW _etw_switch AS
SELECT
  s.ts,
  s.cpu,
  s.utid AS new_utid,
  -- A C-state is recorded only where the idle thread was there before.
  coalesce(o.utid, f.utid, iif(s.previous_c_state IS NOT NULL, 0, NULL)) AS old_utid,
  s.priority AS new_priority,
  ifnull(o.switch_out_priority, f.switch_out_priority) AS old_priority,
  s.rank AS new_rank,
  ifnull(o.rank, f.rank) AS old_rank,
  ifnull(o.switch_out_state, f.switch_out_state) AS old_state,
  ifnull(o.switch_out_wait_reason, f.switch_out_wait_reason) AS old_wait_reason,
  ifnull(o.switch_out_wait_mode, f.switch_out_wait_mode) AS old_wait_mode,
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
  s.previous_c_state
FROM etw_run AS s
-- Times are unique in a trace; `+` keeps the engine from looking up by thread, which takes three times as long.
LEFT JOIN etw_run AS o ON o.te = s.ts AND +o.cpu = s.cpu AND +o.ts < s.ts
LEFT JOIN _etw_run_before AS f ON f.ts = s.ts
LEFT JOIN etw_ready_wait AS w ON w.te = s.ts AND +w.utid = s.utid AND w.ended
LEFT JOIN _etw_blocked AS b ON b.te = ifnull(w.ts, s.ts) AND +b.utid = s.utid
LEFT JOIN etw_run AS p ON p.te = ifnull(b.te - b.dur, w.ts) AND +p.utid = s.utid;
