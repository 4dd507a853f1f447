-- The sampled profile: where CPUs were when the profile interrupt came, by which calls, in which images.
INCLUDE PERFETTO MODULE etw.image;

INCLUDE PERFETTO MODULE etw.profile_interval;

INCLUDE PERFETTO MODULE etw.stack;

INCLUDE PERFETTO MODULE etw.stack_frame;

-- Samples of the profile: what a CPU was doing at a moment. In a DPC or an ISR the thread was only interrupted, and the
-- innermost frames are none of its own doing.
CREATE PERFETTO VIEW etw_sample(
  -- Timestamp of the sample.
  ts TIMESTAMP,
  -- The CPU.
  cpu LONG,
  -- The current thread; 0 is the idle thread.
  utid LONG,
  -- Its priority; null where it was not recorded. Windows 7 records 0.
  priority LONG,
  -- Its rank; null where it was not recorded.
  rank LONG,
  -- 1 if the CPU was in a deferred procedure call.
  in_dpc LONG,
  -- 1 if the CPU was in an interrupt service routine.
  in_isr LONG,
  -- 1 in kernel code, 0 in user code.
  is_kernel LONG,
  -- The innermost call of its stack, in `etw_stack_frame`; where no stack was recorded, the only one.
  callsite LONG,
  -- CPU time that it stands for, in ns: the interval in force. Null where no interval was recorded.
  weight_ns DURATION
) AS
SELECT ts, cpu, utid, priority, rank, in_dpc, in_isr, is_kernel, callsite, weight_ns
FROM _etw_sample;

-- Samples of hardware counters (PMC): what a CPU was doing when a counter had counted so many events, such as cache misses.
-- They stand for events, not for CPU time: `etw_sample` has none of them.
CREATE PERFETTO VIEW etw_pmc_sample(
  -- Timestamp of the sample.
  ts TIMESTAMP,
  -- The CPU.
  cpu LONG,
  -- The current thread; 0 is the idle thread.
  utid LONG,
  -- Number of the hardware counter, as in `etw_profile_interval`.
  source LONG,
  -- Its name; null where it was not recorded.
  source_name STRING,
  -- 1 in kernel code, 0 in user code.
  is_kernel LONG,
  -- The innermost call of its stack, in `etw_stack_frame`; where no stack was recorded, the only one.
  callsite LONG,
  -- Counted events that it stands for: the interval in force. Null where no interval was recorded.
  weight_events LONG
) AS
SELECT
  ts,
  cpu,
  utid,
  source,
  (SELECT max(i.source_name) FROM etw_profile_interval AS i WHERE i.source = s.source) AS source_name,
  is_kernel,
  callsite,
  weight_events
FROM _etw_pmc_sample AS s;
