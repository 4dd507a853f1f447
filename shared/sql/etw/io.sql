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

-- Transfers of disks when they are complete, and where they were issued: rows of `android_logs` by request packet. What else
-- these say is read once it is known what belongs together, since each field read takes longer than all else.
CREATE PERFETTO TABLE _etw_disk_event AS
SELECT id, ts, tag GLOB '*Init' AS is_init, msg ->> '$.f.Irp' AS irp
FROM android_logs
WHERE tag GLOB 'DiskIo/*'
ORDER BY irp, ts;

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
  name AS MATERIALIZED (SELECT file_key, from_ts, until_ts, path FROM _etw_file_name),
  -- What came before with the same packet is its issue, if that was recorded.
  done AS (
    SELECT
      d.ts,
      d.irp,
      l.tag,
      l.msg,
      i.ts AS init_ts,
      ifnull(
        _etw_utid_at!(l.msg ->> '$.f.IssuingThreadId', d.ts),
        (SELECT nullif(utid, 0) FROM android_logs WHERE id = i.id)
      ) AS owner,
      l.msg ->> '$.f.HighResResponseTime_ns' AS dur,
      CAST(l.msg ->> '$.f.IrpFlags' AS TEXT) AS irp_flags
    FROM _etw_disk_event AS d
    CROSS JOIN android_logs AS l ON l.id = d.id
    LEFT JOIN _etw_disk_event AS i ON i._auto_id = d._auto_id - 1 AND i.irp IS d.irp AND i.is_init
    WHERE NOT d.is_init
  ),
  hinted AS (
    SELECT
      *,
      -- Three bits from bit 17 on; the lower ones have names.
      CASE substr(irp_flags, -7)
        WHEN '0x20000' THEN 1
        WHEN '0x40000' THEN 2
        WHEN '0x60000' THEN 3
        WHEN '0x80000' THEN 4
        WHEN '0xa0000' THEN 5
        ELSE iif(irp_flags GLOB '[0-9]*' AND irp_flags NOT GLOB '0x*', CAST(irp_flags AS INT) >> 17 & 7, NULL)
      END AS hint
    FROM done
  )
SELECT
  d.ts - ifnull(d.dur, 0) AS ts,
  d.dur,
  CASE WHEN d.tag GLOB '*Read' THEN 'read' WHEN d.tag GLOB '*Write' THEN 'write' ELSE 'flush' END AS kind,
  d.msg ->> '$.c' AS cpu,
  d.owner AS utid,
  t.upid,
  n.path,
  d.msg ->> '$.f.ByteOffset' AS byte_offset,
  d.msg ->> '$.f.TransferSize' AS size_bytes,
  d.msg ->> '$.f.DiskNumber' AS disk,
  CASE d.hint WHEN 1 THEN 'VeryLow' WHEN 2 THEN 'Low' WHEN 3 THEN 'Normal' WHEN 4 THEN 'High' WHEN 5 THEN 'Critical' END
    AS priority,
  d.irp_flags,
  d.irp,
  s.callsite
FROM hinted AS d
LEFT JOIN thread AS t ON t.utid = d.owner
LEFT JOIN name AS n ON n.file_key = d.msg ->> '$.f.FileObject' AND n.from_ts <= d.ts AND n.until_ts > d.ts
LEFT JOIN _etw_event_stack AS s ON s.ts = d.init_ts
ORDER BY 1;

DROP TABLE _etw_disk_event;

-- Operations on files when they begin, and their ends, as the events of disks above: the end of an operation follows it among
-- the events of its packet.
CREATE PERFETTO TABLE _etw_file_event AS
SELECT id, ts, tag = 'FileIo/OperationEnd' AS is_end, msg ->> '$.f.Irp' AS irp
FROM android_logs
WHERE
  tag GLOB 'FileIo/*'
  AND tag NOT IN ('FileIo/Name', 'FileIo/FileCreate', 'FileIo/FileDelete', 'FileIo/FileRundown')
  AND tag NOT GLOB 'FileIo/*apFile*'
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
  name AS MATERIALIZED (SELECT file_key, from_ts, until_ts, path FROM _etw_file_name),
  owned AS (
    SELECT
      p.ts,
      p.irp,
      l.msg ->> '$.f.FileKey' AS file_key,
      e.ts AS end_ts,
      substr(l.tag, 8) AS name,
      l.msg,
      x.msg AS end_msg,
      iif(l.utid != 0, l.utid, _etw_utid_at!(l.msg ->> '$.f.ThreadId', p.ts)) AS owner
    FROM _etw_file_event AS p
    CROSS JOIN android_logs AS l ON l.id = p.id
    LEFT JOIN _etw_file_event AS e ON e._auto_id = p._auto_id + 1 AND e.irp = p.irp AND e.is_end
    LEFT JOIN android_logs AS x ON x.id = e.id
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
  p.msg ->> '$.c' AS cpu,
  p.owner AS utid,
  t.upid,
  coalesce(
    iif(
      p.name GLOB 'Create*' OR p.name GLOB '*Path',
      ifnull(p.msg ->> '$.f.OpenPath', p.msg ->> '$.f.FileName'),
      NULL
    ),
    n.path,
    -- Dearer than the join, and seldom needed.
    _etw_path_at!(p.msg ->> '$.f.FileObject', p.ts)
  ) AS path,
  p.msg ->> '$.f.Offset' AS byte_offset,
  ifnull(p.msg ->> '$.f.IoSize', p.msg ->> '$.f.Length') AS size_bytes,
  p.end_msg ->> '$.f.ExtraInformation' AS done,
  iif(p.end_msg IS NULL, NULL, printf('%s', p.end_msg ->> '$.f.NtStatus')) AS status,
  p.irp,
  s.callsite
FROM owned AS p
LEFT JOIN thread AS t ON t.utid = p.owner
LEFT JOIN name AS n ON n.file_key = p.file_key AND n.from_ts <= p.ts AND n.until_ts > p.ts
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
