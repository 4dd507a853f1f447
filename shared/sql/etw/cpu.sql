-- CPU time by step of time, summed: what ran, by thread, priority and rank.
INCLUDE PERFETTO MODULE etw.cpu_step;

INCLUDE PERFETTO MODULE etw.ran;

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
