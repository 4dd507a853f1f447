-- The sampled profile: where CPUs were when the profile interrupt came, by which calls, in which images.
INCLUDE PERFETTO MODULE etw.stack;

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
SELECT
  ts,
  cpu,
  utid,
  iif(value >> 13 & 1, value >> 8 & 31, NULL) AS priority,
  nullif(value & 255, 255) AS rank,
  value >> 14 & 1 AS in_dpc,
  value >> 15 & 1 AS in_isr,
  is_kernel,
  callsite,
  nullif(value >> 16, 0) * 100 AS weight_ns
FROM _etw_sample;

-- How often samples were taken, one row for each change that was recorded, and for each source at the start.
CREATE PERFETTO TABLE etw_profile_interval(
  -- From when on.
  ts TIMESTAMP,
  -- What makes the samples: 0 is the timer, others are hardware counters of the machine.
  source LONG,
  -- Its name, such as `Timer` or `CacheMisses`; null where it was not recorded.
  source_name STRING,
  -- The time between two samples in ns; null for hardware counters.
  interval_ns LONG,
  -- Events of a hardware counter between two samples; null for the timer.
  interval_events LONG
) AS
WITH
  told AS (
    SELECT
      ts,
      extract_arg(arg_set_id, 'debug.source') AS source,
      extract_arg(arg_set_id, 'debug.source_name') AS source_name,
      extract_arg(arg_set_id, 'debug.interval') AS interval
    FROM slice
    WHERE name = 'etw.profile_interval'
  )
SELECT
  ts,
  source,
  source_name,
  iif(source = 0, interval * 100, NULL) AS interval_ns,
  iif(source = 0, NULL, interval) AS interval_events
FROM told
ORDER BY ts, source;

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
  value & 65535 AS source,
  (
    SELECT max(i.source_name)
    FROM etw_profile_interval AS i
    WHERE i.source = s.value & 65535
  ) AS source_name,
  is_kernel,
  callsite,
  nullif(value >> 16 & 4294967295, 0) AS weight_events
FROM _etw_pmc_sample AS s;

-- Images (programs, libraries, drivers) in memory, one row for each stay at an address of a process.
CREATE PERFETTO TABLE etw_image(
  -- The process that it is loaded into, as in `etw_process`; null for the kernel's images, which every process sees,
  -- and where the process is not known.
  upid LONG,
  -- 1 for the kernel's images.
  is_kernel LONG,
  -- Address of its first byte; kernel addresses are negative here, as in `etw_stack_frame`.
  base LONG,
  -- Size in memory in bytes.
  size_bytes LONG,
  -- Path of its file, as Windows names it.
  path STRING,
  -- Name of its symbol file, with the path where it was built; null where no identity was recorded.
  pdb STRING,
  -- GUID of its symbols; null likewise. A symbol server wants it without hyphens, followed by the age in hexadecimal.
  guid STRING,
  -- Age of its symbols; null likewise.
  age LONG,
  -- Time stamp in its header, which identifies the file together with its size; null where it was not recorded.
  timestamp LONG,
  -- Checksum in its header.
  checksum LONG,
  -- Name of the file when it was built.
  original_name STRING,
  -- When it was loaded; null if that was not recorded, as for what was there before the recording.
  load_ts TIMESTAMP,
  -- When it was unloaded; null if it was not within the recording.
  unload_ts TIMESTAMP
) AS
SELECT
  t.upid,
  extract_arg(s.arg_set_id, 'debug.pid') IS NULL AS is_kernel,
  extract_arg(s.arg_set_id, 'debug.base') AS base,
  extract_arg(s.arg_set_id, 'debug.size') AS size_bytes,
  extract_arg(s.arg_set_id, 'debug.path') AS path,
  extract_arg(s.arg_set_id, 'debug.pdb') AS pdb,
  extract_arg(s.arg_set_id, 'debug.guid') AS guid,
  extract_arg(s.arg_set_id, 'debug.age') AS age,
  extract_arg(s.arg_set_id, 'debug.timestamp') AS timestamp,
  extract_arg(s.arg_set_id, 'debug.checksum') AS checksum,
  extract_arg(s.arg_set_id, 'debug.original_name') AS original_name,
  extract_arg(s.arg_set_id, 'debug.load_ts') AS load_ts,
  extract_arg(s.arg_set_id, 'debug.unload_ts') AS unload_ts
FROM slice AS s
LEFT JOIN process_track AS t ON t.id = s.track_id
WHERE s.name = 'etw.image'
ORDER BY s.id;
