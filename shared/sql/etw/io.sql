-- Disk and file I/O, and hard faults: who waited for which bytes of which file, and for how long.
INCLUDE PERFETTO MODULE etw.process;

INCLUDE PERFETTO MODULE etw.stack;

INCLUDE PERFETTO MODULE etw.trace;

-- What the recording says of the names of files: when, and whether the name begins or ends there. A rundown lists it.
CREATE PERFETTO TABLE _etw_file_name_event AS
SELECT
  msg ->> '$.f.FileKey' AS file_key,
  ts,
  substr(tag, 8) AS kind,
  msg ->> '$.f.FileName' AS path
FROM android_logs
WHERE tag IN ('FileIo/Name', 'FileIo/FileCreate', 'FileIo/FileDelete', 'FileIo/FileRundown')
ORDER BY file_key, ts;

-- The file that a key stood for, by time; the spans of a key do not overlap. Keys are used again.
CREATE PERFETTO TABLE _etw_file_name AS
WITH
  beside AS (
    SELECT
      *,
      lag(kind) OVER by_key AS last_kind,
      lag(path) OVER by_key AS last_path,
      lag(ts) OVER by_key AS last_ts,
      lead(ts) OVER by_key AS next_ts
    FROM _etw_file_name_event
    WINDOW by_key AS (PARTITION BY file_key ORDER BY ts)
  ),
  -- Up to each event, and from the last one on.
  span AS (
    SELECT
      file_key,
      ifnull(last_ts, 0) AS from_ts,
      ts AS until_ts,
      iif(kind IN ('FileDelete', 'FileRundown') OR last_kind IS NULL, path, last_path) AS path
    FROM beside
    UNION ALL
    SELECT file_key, ts, 1 << 62, path FROM beside WHERE next_ts IS NULL
  )
SELECT file_key, from_ts, until_ts, path FROM span WHERE until_ts > from_ts ORDER BY file_key, from_ts;

DROP TABLE _etw_file_name_event;

CREATE PERFETTO INDEX _etw_file_name_key ON _etw_file_name(file_key);

-- The path of a file, as Windows names it, at a time; null where the recording has no name for the key.
CREATE PERFETTO MACRO _etw_path_at(
  -- The key.
  file_key Expr,
  -- The time.
  at_ts Expr
)
RETURNS Expr AS
(
  SELECT n.path
  FROM _etw_file_name AS n
  WHERE n.file_key = $file_key AND n.from_ts <= $at_ts AND n.until_ts > $at_ts
);

-- Transfers of disks when they are complete, and what came before with the same request packet: where they were issued.
CREATE PERFETTO TABLE _etw_disk_event AS
SELECT
  ts,
  msg ->> '$.c' AS cpu,
  nullif(utid, 0) AS utid,
  substr(tag, 8) AS name,
  msg ->> '$.f.Irp' AS irp,
  msg ->> '$.f.IssuingThreadId' AS tid,
  msg ->> '$.f.HighResResponseTime_ns' AS dur,
  msg ->> '$.f.DiskNumber' AS disk,
  msg ->> '$.f.ByteOffset' AS byte_offset,
  msg ->> '$.f.TransferSize' AS size_bytes,
  msg ->> '$.f.FileObject' AS file_key,
  CAST(msg ->> '$.f.IrpFlags' AS TEXT) AS irp_flags
FROM android_logs
WHERE tag GLOB 'DiskIo/*'
ORDER BY ts;

-- Disk I/O, one row for each transfer that the disk finished within the recording, and for each flush.
--
-- Recorded with the kernel flag `DISK_IO`; with `DISK_IO_INIT` its stacks and, before Windows 8, its threads are known.
CREATE PERFETTO TABLE etw_disk_io(
  -- Timestamp at which it was issued: its end less what it took.
  ts TIMESTAMP,
  -- How long it took, from when it was issued until the disk was done, in ns.
  dur DURATION,
  -- `read`, `write` or `flush`.
  kind STRING,
  -- The CPU that noted its end; null if the recording does not tell CPUs apart.
  cpu LONG,
  -- The thread that issued it; null if that is not known.
  utid LONG,
  -- That thread's process. What is written from the cache counts as the process System's.
  upid LONG,
  -- The file, as Windows names it; null where the recording has no name for it.
  path STRING,
  -- Where on the disk, in bytes from its start; null for a flush.
  byte_offset LONG,
  -- How much, in bytes; null for a flush.
  size_bytes LONG,
  -- Number of the disk.
  disk LONG,
  -- I/O priority: `VeryLow`, `Low`, `Normal`, `High` or `Critical`; null where none was set.
  priority STRING,
  -- Flags of the request packet, such as `NoCache|PagingIo`; bits without a name in hexadecimal.
  irp_flags STRING,
  -- Address of the request packet, which is used again at once.
  irp STRING,
  -- Stack of the thread that issued it, as a `callsite` of `etw_stack_frame`; null where none was recorded.
  callsite LONG
) AS
WITH
  paired AS (
    SELECT
      *,
      lag(ts) OVER by_irp AS init_ts,
      lag(utid) OVER by_irp AS init_utid,
      lag(name) OVER by_irp AS init_name
    FROM _etw_disk_event
    WINDOW by_irp AS (PARTITION BY irp ORDER BY ts)
  ),
  done AS (
    SELECT
      p.*,
      init_name GLOB '*Init' AS has_init,
      iif(init_name GLOB '*Init', init_utid, NULL) AS issuer,
      -- Three bits from bit 17 on; the lower ones have names.
      CASE substr(irp_flags, -7)
        WHEN '0x20000' THEN 1
        WHEN '0x40000' THEN 2
        WHEN '0x60000' THEN 3
        WHEN '0x80000' THEN 4
        WHEN '0xa0000' THEN 5
        ELSE iif(irp_flags GLOB '[0-9]*' AND irp_flags NOT GLOB '0x*', CAST(irp_flags AS INT) >> 17 & 7, NULL)
      END AS hint
    FROM paired AS p
    WHERE name NOT GLOB '*Init'
  ),
  owned AS (
    SELECT d.*, ifnull(_etw_utid_at!(d.tid, d.ts), d.issuer) AS owner FROM done AS d
  )
SELECT
  d.ts - ifnull(d.dur, 0) AS ts,
  d.dur,
  CASE WHEN d.name GLOB '*Read' THEN 'read' WHEN d.name GLOB '*Write' THEN 'write' ELSE 'flush' END AS kind,
  d.cpu,
  d.owner AS utid,
  t.upid,
  _etw_path_at!(d.file_key, d.ts) AS path,
  d.byte_offset,
  d.size_bytes,
  d.disk,
  CASE d.hint WHEN 1 THEN 'VeryLow' WHEN 2 THEN 'Low' WHEN 3 THEN 'Normal' WHEN 4 THEN 'High' WHEN 5 THEN 'Critical' END
    AS priority,
  d.irp_flags,
  d.irp,
  s.callsite
FROM owned AS d
LEFT JOIN thread AS t ON t.utid = d.owner
LEFT JOIN _etw_event_stack AS s ON s.ts = iif(d.has_init, d.init_ts, NULL)
ORDER BY 1;

DROP TABLE _etw_disk_event;

-- Operations on files when they begin, and their ends: the end of an operation follows it among the events of its packet.
CREATE PERFETTO TABLE _etw_file_event AS
SELECT
  ts,
  0 AS is_end,
  msg ->> '$.c' AS cpu,
  nullif(utid, 0) AS utid,
  substr(tag, 8) AS name,
  msg ->> '$.f.Irp' AS irp,
  iif(utid = 0, msg ->> '$.f.ThreadId', NULL) AS tid,
  msg ->> '$.f.FileKey' AS file_key,
  msg ->> '$.f.FileObject' AS file_object,
  iif(
    tag GLOB 'FileIo/Create*' OR tag GLOB 'FileIo/*Path',
    ifnull(msg ->> '$.f.OpenPath', msg ->> '$.f.FileName'),
    NULL
  ) AS name_given,
  msg ->> '$.f.Offset' AS byte_offset,
  ifnull(msg ->> '$.f.IoSize', msg ->> '$.f.Length') AS size_bytes,
  NULL AS done,
  NULL AS status
FROM android_logs
WHERE
  tag GLOB 'FileIo/*'
  AND tag NOT IN ('FileIo/Name', 'FileIo/FileCreate', 'FileIo/FileDelete', 'FileIo/FileRundown', 'FileIo/OperationEnd')
  AND tag NOT GLOB 'FileIo/*apFile*'
UNION ALL
SELECT
  ts, 1, NULL, NULL, NULL, msg ->> '$.f.Irp', NULL, NULL, NULL, NULL, NULL, NULL,
  msg ->> '$.f.ExtraInformation', printf('%s', msg ->> '$.f.NtStatus')
FROM android_logs
WHERE tag = 'FileIo/OperationEnd'
ORDER BY irp, ts;

-- Operations on files, whether the cache or a disk served them.
--
-- Recorded with the kernel flag `FILE_IO_INIT`, their ends with `FILE_IO`.
CREATE PERFETTO TABLE etw_file_io(
  -- Timestamp at which it began.
  ts TIMESTAMP,
  -- How long it took, in ns; null if its end was not recorded.
  dur DURATION,
  -- `create`, `read`, `write`, `flush`, `cleanup`, `close`, `query_info`, `set_info`, `delete`, `rename`, `dir_enum`, …:
  -- the name of its event.
  kind STRING,
  -- The CPU that it began on; null if the recording does not tell CPUs apart.
  cpu LONG,
  -- The thread that asked for it; null if that is not known.
  utid LONG,
  -- That thread's process.
  upid LONG,
  -- The file, as Windows names it, for `create` as it was asked for; null where the recording has no name for it.
  path STRING,
  -- Where in the file, in bytes; null for what has no place.
  byte_offset LONG,
  -- How much was asked for, in bytes; null likewise.
  size_bytes LONG,
  -- How much was done, in bytes, or what else the operation answers; null if its end was not recorded.
  done LONG,
  -- How it ended (`NTSTATUS`), such as `0xc0000034` for a name that is not there; null if its end was not recorded.
  status STRING,
  -- Address of the request packet, which is used again at once.
  irp STRING,
  -- Stack of the thread, as a `callsite` of `etw_stack_frame`; null where none was recorded.
  callsite LONG
) AS
WITH
  owned AS (
    SELECT
      p.*,
      e.ts AS end_ts,
      e.done AS end_done,
      e.status AS end_status,
      ifnull(p.utid, _etw_utid_at!(p.tid, p.ts)) AS owner
    FROM _etw_file_event AS p
    LEFT JOIN _etw_file_event AS e ON e._auto_id = p._auto_id + 1 AND e.irp = p.irp AND e.is_end
    WHERE NOT p.is_end
  )
SELECT
  p.ts,
  p.end_ts - p.ts AS dur,
  CASE p.name
    WHEN 'QueryInfo' THEN 'query_info'
    WHEN 'SetInfo' THEN 'set_info'
    WHEN 'DirEnum' THEN 'dir_enum'
    WHEN 'DirNotify' THEN 'dir_notify'
    WHEN 'FSControl' THEN 'fs_control'
    WHEN 'CreateNew' THEN 'create_new'
    WHEN 'DeletePath' THEN 'delete_path'
    WHEN 'RenamePath' THEN 'rename_path'
    WHEN 'LinkPath' THEN 'link_path'
    ELSE lower(p.name)
  END AS kind,
  p.cpu,
  p.owner AS utid,
  t.upid,
  coalesce(
    p.name_given,
    _etw_path_at!(p.file_key, p.ts),
    _etw_path_at!(p.file_object, p.ts)
  ) AS path,
  p.byte_offset,
  p.size_bytes,
  p.end_done AS done,
  p.end_status AS status,
  p.irp,
  s.callsite
FROM owned AS p
LEFT JOIN thread AS t ON t.utid = p.owner
LEFT JOIN _etw_event_stack AS s ON s.ts = p.ts
ORDER BY p.ts;

DROP TABLE _etw_file_event;

-- Hard faults: a thread touched memory that had to be read from a disk first, and waited.
--
-- Recorded with the kernel flag `HARD_FAULTS`.
CREATE PERFETTO TABLE etw_hard_fault(
  -- Timestamp of the fault.
  ts TIMESTAMP,
  -- How long the thread waited until it was resolved, in ns.
  dur DURATION,
  -- The CPU that noted the end; null if the recording does not tell CPUs apart.
  cpu LONG,
  -- The thread; null if that is not known.
  utid LONG,
  -- Its process.
  upid LONG,
  -- The file that was read, as Windows names it: an image, a mapped file or the page file; null where the recording has no
  -- name for it.
  path STRING,
  -- Where in the file, in bytes.
  byte_offset LONG,
  -- How much was read, in bytes.
  size_bytes LONG,
  -- The address that was touched, in hexadecimal.
  address STRING,
  -- Stack of the thread, as a `callsite` of `etw_stack_frame`; null where none was recorded.
  callsite LONG
) AS
WITH
  fault AS (
    SELECT
      ts AS te,
      msg ->> '$.c' AS cpu,
      nullif(utid, 0) AS header_utid,
      msg ->> '$.f.ThreadId' AS tid,
      msg ->> '$.f.InitialTime_ts' AS ts,
      msg ->> '$.f.ReadOffset' AS byte_offset,
      msg ->> '$.f.ByteCount' AS size_bytes,
      msg ->> '$.f.VirtualAddress' AS address,
      msg ->> '$.f.FileObject' AS file_key
    FROM android_logs
    WHERE tag = 'Memory/HardFault'
  ),
  owned AS (
    SELECT f.*, ifnull(_etw_utid_at!(f.tid, f.te), f.header_utid) AS owner FROM fault AS f
  )
SELECT
  ifnull(f.ts, f.te) AS ts,
  f.te - f.ts AS dur,
  f.cpu,
  f.owner AS utid,
  t.upid,
  _etw_path_at!(f.file_key, f.te) AS path,
  f.byte_offset,
  f.size_bytes,
  f.address,
  s.callsite
FROM owned AS f
LEFT JOIN thread AS t ON t.utid = f.owner
LEFT JOIN _etw_event_stack AS s ON s.ts = f.te
ORDER BY 1;
