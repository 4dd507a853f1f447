-- Images in memory.

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
