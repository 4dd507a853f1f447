-- Who ran: the stays of threads on CPUs.
INCLUDE PERFETTO MODULE etw.run_fact;

INCLUDE PERFETTO MODULE etw.trace;

INCLUDE PERFETTO MODULE etw.words;

-- Stays of the idle thread that stand for whoever ran: the converter has it run where a CPU's events are missing, and where a switch
-- does not tell who came. What ran is not known from the first gap of a stay to the last: between two, a switch would have ended
-- the stay.
CREATE PERFETTO TABLE _etw_idle_cut AS
WITH
  gap AS (
    SELECT cpu, ts, ts + dur AS te
    FROM etw_loss
    WHERE cpu IS NOT NULL AND dur > 0
    UNION ALL
    SELECT s.ucpu, s.ts, iif(s.dur < 0, trace_end(), s.ts + s.dur)
    FROM slice AS u
    CROSS JOIN __intrinsic_sched_slice AS s ON s.ts = u.ts
    WHERE u.name = 'etw.run_unknown'
  ),
  -- Its ends are moved by some ns, as those of stays are: in its middle it is clear which stay it is in.
  cut AS (
    SELECT
      gap.*,
      (
        SELECT s.id
        FROM __intrinsic_sched_slice AS s
        WHERE s.ucpu = gap.cpu AND s.ts <= (gap.ts + gap.te) / 2
        ORDER BY s.ts DESC
        LIMIT 1
      ) AS id
    FROM gap
  )
SELECT
  s.id, s.ts, iif(s.dur < 0, NULL, s.ts + s.dur) AS te, s.ucpu AS cpu, s.priority,
  MIN(cut.ts) AS gap_ts, MAX(cut.te) AS gap_te
FROM cut
JOIN __intrinsic_sched_slice AS s USING (id)
WHERE s.utid = 0
GROUP BY s.id
ORDER BY s.id;

-- What is known of them: the idle thread was switched in before the gap, or out after it.
CREATE PERFETTO TABLE _etw_idle_left AS
SELECT ts, gap_ts AS te, cpu, priority
FROM _etw_idle_cut
WHERE gap_ts - ts >= _etw_tick_ns()
UNION ALL
SELECT gap_te, te, cpu, priority
FROM _etw_idle_cut
WHERE te - gap_te >= _etw_tick_ns()
ORDER BY 1;

-- All stays, in order of time.
CREATE PERFETTO VIEW _etw_stay AS
SELECT id, ts, iif(dur < 0, trace_end(), ts + dur) AS te, ucpu AS cpu, utid, priority
FROM __intrinsic_sched_slice
WHERE EXISTS (SELECT 1 FROM etw_trace);

-- The stays of threads on CPUs. To merge what is left of stays in takes time: only where there are gaps.
CREATE PERFETTO TABLE _etw_run AS
WITH
  stay AS (
    SELECT ts, te, cpu, utid, priority
    FROM _etw_stay
    WHERE NOT EXISTS (SELECT 1 FROM _etw_idle_cut)
    UNION ALL
    SELECT *
    FROM (
      SELECT ts, te, cpu, utid, priority
      FROM _etw_stay
      WHERE EXISTS (SELECT 1 FROM _etw_idle_cut) AND (utid != 0 OR id NOT IN (SELECT id FROM _etw_idle_cut))
      UNION ALL
      SELECT ts, te, cpu, 0, priority
      FROM _etw_idle_left
      ORDER BY 1
    )
  )
SELECT
  s.*, k.rank, k.rank_before, k.switch_out_priority, k.switch_out_state, k.switch_out_wait_reason,
  k.switch_out_wait_mode, k.switch_out_qos, k.switch_in_qos, k.ready_flags, k.ready_increment, k.ready_adjust_reason,
  k.priority_decrement, k.previous_c_state
FROM stay AS s
LEFT JOIN _etw_run_told AS k ON k.ts = s.ts;

DROP VIEW _etw_stay;

DROP TABLE _etw_run_told;

CREATE PERFETTO INDEX _etw_run_te ON _etw_run(te);

CREATE PERFETTO INDEX _etw_run_utid_ts ON _etw_run(utid, ts);

-- When it is not known what ran on a CPU, mostly since events of it are lost; they may overlap.
CREATE PERFETTO TABLE _etw_cpu_gap AS
SELECT cpu, ts, ts + dur AS te
FROM etw_loss
WHERE cpu IS NOT NULL AND dur > 0
UNION ALL
SELECT cpu, gap_ts, iif(te IS NULL, trace_end(), gap_te)
FROM _etw_idle_cut
ORDER BY ts;

-- How the runs ended that were under way before their CPU's first switch, of the threads that ran: when they began is not
-- recorded.
CREATE PERFETTO TABLE _etw_run_before AS
WITH
  said AS (
    SELECT
      ts,
      extract_arg(arg_set_id, 'debug.tid') AS tid,
      ifnull(
        extract_arg(arg_set_id, 'debug.end'),
        _etw_run_sample_words(extract_arg(arg_set_id, 'debug.sample'))
      ) AS words
    FROM slice
    WHERE name = 'etw.run_before'
  )
SELECT
  ts,
  (
    SELECT utid
    FROM __intrinsic_thread_state AS t
    JOIN thread USING (utid)
    WHERE t.ts = said.ts AND thread.tid = said.tid
  ) AS utid,
  CAST(_etw_word(words, 'rank') AS INT) AS rank,
  CAST(_etw_word(words, 'switch_out_priority') AS INT) AS switch_out_priority,
  _etw_word(words, 'switch_out_state') AS switch_out_state,
  _etw_word(words, 'switch_out_wait_reason') AS switch_out_wait_reason,
  _etw_word(words, 'switch_out_wait_mode') AS switch_out_wait_mode
FROM said
ORDER BY ts;

-- What of that is a record of the thread's rank and priority. A trace's outline has it in columns.
CREATE PERFETTO VIEW _etw_end_before AS
SELECT ts, utid, rank, switch_out_priority
FROM _etw_run_before;

-- Stays of a thread on a CPU, from switch-in to switch-out, the idle thread's (utid 0) included. A CPU without a run
-- is one whose events are missing: it is neither idle nor busy. A stay that a gap cuts ends where the gap begins, and one that is
-- found under way begins where the gap ends.
--
-- Rank: Windows records a thread's rank when it is switched out. `rank` is what the switch that ended this run
-- recorded: exact at the run's end. Where `rank_before` is another, the rank changed at an unknown time after the thread's run
-- before, perhaps within this run.
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
  -- Rank at the end of the thread's run before; null for its first run, and where that was not recorded.
  rank_before LONG,
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
  switch_out_qos LONG,
  -- The same at the switch-in. Null for the idle thread, and where neither is recorded.
  switch_in_qos LONG
) AS
SELECT
  ts,
  te - ts AS dur,
  te,
  cpu,
  utid,
  priority,
  rank,
  rank_before,
  priority_decrement,
  ready_flags,
  ready_increment,
  ready_adjust_reason,
  previous_c_state,
  iif(
    ready_flags IS NULL,
    te < trace_end() AND te NOT IN (SELECT gap_ts FROM _etw_idle_cut),
    switch_out_priority IS NOT NULL
  ) AS ended,
  switch_out_priority,
  switch_out_state,
  switch_out_wait_reason,
  switch_out_wait_mode,
  switch_out_qos,
  switch_in_qos
FROM _etw_run;
