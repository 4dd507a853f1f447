-- Who ran: the stays of threads on CPUs.
INCLUDE PERFETTO MODULE etw.names;

INCLUDE PERFETTO MODULE etw.trace;

-- The samples of the tracks `etw.run`: one at the switch-in of each run of a thread other than the idle thread.
CREATE PERFETTO TABLE _etw_run_sample AS
SELECT c.ts, CAST(c.value AS INT) AS sample
FROM __intrinsic_counter AS c
WHERE c.track_id IN (SELECT id FROM track WHERE name = 'etw.run')
ORDER BY c.ts;

-- The stays of threads on CPUs, with the sample still packed: a third of the memory of its fields.
CREATE PERFETTO TABLE _etw_run AS
SELECT
  s.ts,
  iif(s.dur < 0, trace_end(), s.ts + s.dur) AS te,
  s.ucpu AS cpu,
  s.utid,
  s.priority,
  nullif(k.sample & 255, 255) AS rank,
  k.sample
FROM __intrinsic_sched_slice AS s
LEFT JOIN _etw_run_sample AS k ON k.ts = s.ts
WHERE EXISTS (SELECT 1 FROM etw_trace)
ORDER BY s.ts;

DROP TABLE _etw_run_sample;

CREATE PERFETTO INDEX _etw_run_te ON _etw_run(te);

CREATE PERFETTO INDEX _etw_run_utid_ts ON _etw_run(utid, ts);

-- How the runs ended that were under way before their CPU's first switch, of the threads that ran: when they began is not
-- recorded. `sample` is that of a run; its fields of the beginning mean nothing.
CREATE PERFETTO TABLE _etw_run_before AS
SELECT
  s.ts,
  (
    SELECT utid
    FROM __intrinsic_thread_state AS t
    JOIN thread USING (utid)
    WHERE t.ts = s.ts AND thread.tid = extract_arg(s.arg_set_id, 'debug.tid')
  ) AS utid,
  extract_arg(s.arg_set_id, 'debug.sample') AS sample
FROM slice AS s
WHERE s.name = 'etw.run_before'
ORDER BY s.ts;

-- Stays of a thread on a CPU, from switch-in to switch-out, the idle thread's (utid 0) included. A CPU without a run
-- is one whose events are missing. Where they are missing in between, the idle thread can stand for whoever ran:
-- `etw_loss` tells when.
--
-- Rank: Windows records a thread's rank when it is switched out. `rank` is what the switch that ended this run
-- recorded: exact at the run's end, and taken for the whole of it.
CREATE PERFETTO VIEW etw_run(
  -- Timestamp of the switch-in.
  ts TIMESTAMP,
  -- Length of the run in ns; for an open one, to the trace's end.
  dur DURATION,
  -- Timestamp of the switch-out (`ts + dur`).
  te TIMESTAMP,
  -- The CPU.
  cpu LONG,
  -- The thread; 0 is the idle thread.
  utid LONG,
  -- Priority at the switch-in, 0 to 31; of compact context switches, that at the switch-out.
  priority LONG,
  -- Rank, 0 being the best. Null for the idle thread and where it was not recorded: in a run that was still open, in
  -- recordings without the field, and in compact context switches.
  rank LONG,
  -- How much of the priority is a boost that decays; null for the idle thread.
  priority_decrement LONG,
  -- Flags of the ready event that led to this run: 1 from a DPC, 2 kernel stack was swapped out, 4 process was swapped
  -- out, 8 direct switch attempt. Of several ready events they are those of the last; 1 is that of the first; 2 and 4
  -- are those of any.
  ready_flags LONG,
  -- Priority increment of that ready event.
  ready_increment LONG,
  -- How Windows applied it: 0 not, 1 as an increment that decays step by step, 2 as a boost.
  ready_adjust_reason LONG,
  -- C-state of the idle spell that this run ended, 0 being the lightest; null if the CPU was not idle before, and in
  -- compact context switches.
  previous_c_state LONG,
  -- 1 if the switch-out was recorded, 0 if the run was still open at the end of the trace or before a gap.
  ended LONG,
  -- Priority at the switch-out.
  switch_out_priority LONG,
  -- The state that the thread went into, such as `Waiting`, `Ready` or `Terminated`. Null, as what follows, where the
  -- switch-out was not recorded, or by a compact context switch.
  switch_out_state STRING,
  -- Why: such as `UserRequest` for `Waiting`, or `WrQuantumEnd` for `Ready`.
  switch_out_wait_reason STRING,
  -- Who waits: `kernel` or `user`; null where there is no reason.
  switch_out_wait_mode STRING,
  -- Quality of service level at the switch-out: 0 high or default, 1 medium, 2 low, 3 multimedia, 4 deadline.
  switch_out_qos LONG
) AS
SELECT
  ts,
  te - ts AS dur,
  te,
  cpu,
  utid,
  priority,
  rank,
  sample >> 40 & 31 AS priority_decrement,
  sample >> 27 & 31 AS ready_flags,
  (sample >> 32 & 63) - 32 AS ready_increment,
  sample >> 38 & 3 AS ready_adjust_reason,
  nullif(sample >> 45 & 255, 255) AS previous_c_state,
  iif(sample IS NULL, te < trace_end(), (sample >> 20 & 15) != 15) AS ended,
  iif((sample >> 20 & 15) != 15, sample >> 8 & 31, NULL) AS switch_out_priority,
  _etw_state_name!(sample >> 20 & 15) AS switch_out_state,
  iif((sample >> 20 & 15) != 15, _etw_wait_reason_name!(sample >> 13 & 63), NULL) AS switch_out_wait_reason,
  iif(
    (sample >> 20 & 15) != 15 AND (sample >> 13 & 63) != 63,
    iif(sample >> 19 & 1, 'user', 'kernel'),
    NULL
  ) AS switch_out_wait_mode,
  -- 14 is a switch-out of which no more than the priority is recorded.
  iif((sample >> 20 & 15) < 14, sample >> 24 & 7, NULL) AS switch_out_qos
FROM _etw_run;


-- What ran on each CPU between two times, clipped to them; gaps are times of which events are missing.
--
-- Example: CPU time by rank and priority while a thread was ready:
-- `SELECT rank, priority, sum(dur) FROM etw_ran_between(30333000000, 49827000000) WHERE utid != 0 GROUP BY 1, 2`.
CREATE PERFETTO FUNCTION etw_ran_between(
  -- Timestamp at which the stretch of time starts.
  start_ts TIMESTAMP,
  -- Timestamp at which it ends.
  end_ts TIMESTAMP
)
RETURNS TABLE(
  -- The CPU.
  cpu LONG,
  -- The thread; 0 is the idle thread.
  utid LONG,
  -- Timestamp at which it ran first within the stretch.
  ts TIMESTAMP,
  -- How long it ran within the stretch, in ns.
  dur DURATION,
  -- Its priority at the switch-in.
  priority LONG,
  -- Its rank, as in `etw_run`.
  rank LONG
) AS
SELECT
  cpu,
  utid,
  max(ts, $start_ts) AS ts,
  min(te, $end_ts) - max(ts, $start_ts) AS dur,
  priority,
  rank
FROM _etw_run
WHERE ts < $end_ts AND te > $start_ts;
