-- Context switches by step of time and CPU, summed.
INCLUDE PERFETTO MODULE etw.cpu_step;

INCLUDE PERFETTO MODULE etw.ran;

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
