-- CPU time and context switches by step of time, summed: what ran, by thread, priority and rank.
INCLUDE PERFETTO MODULE etw.ran;

-- The recording in 512 steps of equal length; the last reaches over the end by less than 512 ns.
CREATE PERFETTO TABLE _etw_cpu_step AS
WITH RECURSIVE
  step(number, ts, dur) AS (
    SELECT 0, start_ts, max(1, (end_ts - start_ts + 511) / 512) FROM etw_trace
    UNION ALL
    SELECT number + 1, ts + dur, dur FROM step WHERE number < 511
  )
SELECT number, ts, dur FROM step;

-- What `etw_cpu_time` shows, by one number: priority (6 bits), rank (8, 255 for null), utid (24) and the step's number, from
-- the lowest bit on.
CREATE PERFETTO TABLE _etw_cpu_sum AS
SELECT
  s.ts,
  (s.number << 38) | (c.utid << 14) | (ifnull(c.rank, 255) << 6) | (c.priority & 63) AS key,
  c.ran_ns,
  c.switches
FROM _etw_cpu_step AS s
CROSS JOIN etw_cpu_time_between(s.ts, s.ts + s.dur) AS c;

-- CPU time by step of time, thread, priority and rank. All steps have one length: a 512th of the recording, rounded up.
CREATE PERFETTO VIEW etw_cpu_time(
  -- Timestamp at which the step starts.
  ts TIMESTAMP,
  -- Length of the step in ns.
  dur DURATION,
  -- The thread; 0 is the idle thread.
  utid LONG,
  -- Its priority at the switch-in.
  priority LONG,
  -- Its rank, as in `etw_run`.
  rank LONG,
  -- CPU time within the step in ns. A group may have two rows, as in `etw_cpu_time_between`.
  ran_ns DURATION,
  -- Context switches to the thread within the step.
  switches LONG
) AS
SELECT
  ts,
  (SELECT min(dur) FROM _etw_cpu_step) AS dur,
  key >> 14 & 0xFFFFFF AS utid,
  key & 63 AS priority,
  nullif(key >> 6 & 255, 255) AS rank,
  ran_ns,
  switches
FROM _etw_cpu_sum;

-- Context switches by step of time, as those of `etw_cpu_time`, and CPU.
CREATE PERFETTO TABLE etw_cpu_switches(
  -- Timestamp at which the step starts.
  ts TIMESTAMP,
  -- Length of the step in ns.
  dur DURATION,
  -- The CPU.
  cpu LONG,
  -- Context switches on it within the step.
  switches LONG,
  -- Those of them to the idle thread.
  to_idle LONG
) AS
SELECT s.ts, s.dur, c.cpu, c.switches, c.to_idle
FROM _etw_cpu_step AS s
CROSS JOIN etw_cpu_switches_between(s.ts, s.ts + s.dur) AS c;
