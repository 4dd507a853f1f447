-- Who ran: the stays of threads on CPUs.
INCLUDE PERFETTO MODULE etw.names;

INCLUDE PERFETTO MODULE etw.trace;

-- The rank that a run sample tells; null where it was not recorded.
CREATE PERFETTO MACRO _etw_sample_rank(
  -- The sample.
  sample Expr
)
RETURNS Expr AS nullif($sample & 255, 255);

-- 1 if a run sample tells how its run ended, 0 if the run was still open: then it tells nothing of that.
CREATE PERFETTO MACRO _etw_sample_ended(
  -- The sample.
  sample Expr
)
RETURNS Expr AS (($sample >> 20 & 15) != 15);

-- The priority at the switch-out.
CREATE PERFETTO MACRO _etw_sample_out_priority(
  -- The sample.
  sample Expr
)
RETURNS Expr AS iif(_etw_sample_ended!($sample), $sample >> 8 & 31, NULL);

-- The state that the thread went into; null where it was not recorded.
CREATE PERFETTO MACRO _etw_sample_out_state(
  -- The sample.
  sample Expr
)
RETURNS Expr AS _etw_state_name!($sample >> 20 & 15);

-- Why it did.
CREATE PERFETTO MACRO _etw_sample_out_wait_reason(
  -- The sample.
  sample Expr
)
RETURNS Expr AS
iif(_etw_sample_ended!($sample), _etw_wait_reason_name!($sample >> 13 & 63), NULL);

-- Who waits: `kernel` or `user`; null where there is no reason.
CREATE PERFETTO MACRO _etw_sample_out_wait_mode(
  -- The sample.
  sample Expr
)
RETURNS Expr AS
iif(
  _etw_sample_ended!($sample) AND ($sample >> 13 & 63) != 63,
  iif($sample >> 19 & 1, 'user', 'kernel'),
  NULL
);

-- The samples of the tracks `etw.run`: one at the switch-in of each run of a thread other than the idle thread.
CREATE PERFETTO TABLE _etw_run_sample AS
SELECT c.ts, CAST(c.value AS INT) AS sample
FROM __intrinsic_counter AS c
WHERE c.track_id IN (SELECT id FROM track WHERE name = 'etw.run')
ORDER BY c.ts;

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
SELECT
  s.id,
  s.ts,
  iif(s.dur < 0, trace_end(), s.ts + s.dur) AS te,
  s.ucpu AS cpu,
  s.utid,
  s.priority,
  _etw_sample_rank!(k.sample) AS rank,
  k.sample
FROM __intrinsic_sched_slice AS s
LEFT JOIN _etw_run_sample AS k ON k.ts = s.ts
WHERE EXISTS (SELECT 1 FROM etw_trace);

-- The stays of threads on CPUs, with the sample still packed: a third of the memory of its fields. To merge what is left of stays
-- in takes time: only where there are gaps.
CREATE PERFETTO TABLE _etw_run AS
SELECT ts, te, cpu, utid, priority, rank, sample
FROM _etw_stay
WHERE NOT EXISTS (SELECT 1 FROM _etw_idle_cut)
UNION ALL
SELECT *
FROM (
  SELECT ts, te, cpu, utid, priority, rank, sample
  FROM _etw_stay
  WHERE EXISTS (SELECT 1 FROM _etw_idle_cut) AND (utid != 0 OR id NOT IN (SELECT id FROM _etw_idle_cut))
  UNION ALL
  SELECT ts, te, cpu, 0, priority, NULL, NULL
  FROM _etw_idle_left
  ORDER BY 1
);

DROP VIEW _etw_stay;

DROP TABLE _etw_run_sample;

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

-- What of that is a record of the thread's rank and priority. A trace's outline has it in columns.
CREATE PERFETTO VIEW _etw_end_before AS
SELECT ts, utid, _etw_sample_rank!(sample) AS rank, _etw_sample_out_priority!(sample) AS switch_out_priority
FROM _etw_run_before;

-- The runs whose thread had another rank at the end of its run before than at the end of this one, and that rank; null where
-- one was recorded for this run alone, as for a thread's first.
CREATE PERFETTO TABLE _etw_other_rank_before AS
SELECT c.ts, nullif(CAST(c.value AS INT), 255) AS rank
FROM __intrinsic_counter AS c
WHERE c.track_id IN (SELECT id FROM track WHERE name = 'etw.rank_before')
ORDER BY c.ts;

-- QoS levels at the switch-in, where the end of the run tells another one, or the run did not end.
CREATE PERFETTO TABLE _etw_run_qos AS
SELECT c.ts, CAST(c.value AS INT) AS qos
FROM __intrinsic_counter AS c
WHERE c.track_id IN (SELECT id FROM track WHERE name = 'etw.qos')
ORDER BY c.ts;

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
  iif(
    ts IN (SELECT b.ts FROM _etw_other_rank_before AS b),
    (SELECT b.rank FROM _etw_other_rank_before AS b WHERE b.ts = r.ts),
    rank
  ) AS rank_before,
  sample >> 40 & 31 AS priority_decrement,
  sample >> 27 & 31 AS ready_flags,
  (sample >> 32 & 63) - 32 AS ready_increment,
  sample >> 38 & 3 AS ready_adjust_reason,
  nullif(sample >> 45 & 255, 255) AS previous_c_state,
  iif(
    sample IS NULL,
    te < trace_end() AND te NOT IN (SELECT gap_ts FROM _etw_idle_cut),
    _etw_sample_ended!(sample)
  ) AS ended,
  _etw_sample_out_priority!(sample) AS switch_out_priority,
  _etw_sample_out_state!(sample) AS switch_out_state,
  _etw_sample_out_wait_reason!(sample) AS switch_out_wait_reason,
  _etw_sample_out_wait_mode!(sample) AS switch_out_wait_mode,
  -- 14 is a switch-out with no more than its priority recorded.
  iif((sample >> 20 & 15) < 14, sample >> 24 & 7, NULL) AS switch_out_qos,
  ifnull(
    (SELECT q.qos FROM _etw_run_qos AS q WHERE q.ts = r.ts),
    iif((sample >> 20 & 15) < 14, sample >> 24 & 7, NULL)
  ) AS switch_in_qos
FROM _etw_run AS r;
