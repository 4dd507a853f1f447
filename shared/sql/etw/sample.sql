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
