-- Disk and file I/O, and hard faults: who waited for which bytes in which file, and for how long.
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

-- Whether the message begins with packed fields (docs/encoding.md): what is asked for often, since to read one field of JSON takes as
-- long as to read all those. A trace that an older converter wrote has none, and what stands in their place is something else.
CREATE PERFETTO MACRO _etw_has_packed(
  -- The message.
  msg Expr
)
RETURNS Expr AS
$msg GLOB '{"x":*';

-- The packed text at a place of a message, without the blanks before it; empty where there is none.
CREATE PERFETTO MACRO _etw_packed_text(
  -- The message.
  msg Expr,
  -- Place of its first character.
  place Expr,
  -- Number of characters.
  chars Expr
)
RETURNS Expr AS
ltrim(substr($msg, $place, $chars));

-- The packed number at a place of a message; null where there is none.
CREATE PERFETTO MACRO _etw_packed_number(
  -- The message.
  msg Expr,
  -- Place of its first character.
  place Expr,
  -- Number of characters.
  chars Expr
)
RETURNS Expr AS
CAST(nullif(_etw_packed_text!($msg, $place, $chars), '') AS INT);

-- The message of an event: looked up where a column of it is asked for, and not for each row.
CREATE PERFETTO MACRO _etw_message(
  -- The event.
  event Expr
)
RETURNS Expr AS
(SELECT l.msg FROM android_logs AS l WHERE l.id = $event);

-- Threads by their id; where several had it, there is none.
CREATE PERFETTO TABLE _etw_only_thread AS
SELECT
  tid,
  iif(COUNT(*) = 1, utid, NULL) AS utid,
  ifnull(create_ts, 0) AS from_ts,
  ifnull(exit_ts, 1 << 62) AS until_ts
FROM etw_thread
GROUP BY tid;

-- Transfers that disks finished: what is asked for often, and the key of the event.
CREATE PERFETTO TABLE _etw_disk_io AS
WITH
  name AS MATERIALIZED (SELECT file_key, from_ts, until_ts, path FROM _etw_file_name),
  thread_of AS MATERIALIZED (SELECT tid, utid, from_ts, until_ts FROM _etw_only_thread),
  init AS MATERIALIZED (SELECT ts, utid FROM android_logs WHERE tag GLOB 'DiskIo/*Init'),
  done AS MATERIALIZED (
    SELECT
      id,
      ts,
      tag,
      -- The event of its issue, if that was recorded.
      ts - _etw_packed_number!(msg, 7, 16) AS init_ts,
      _etw_packed_number!(msg, 23, 20) AS dur,
      _etw_packed_text!(msg, 43, 19) AS file_key,
      _etw_packed_number!(msg, 62, 10) AS size_bytes,
      _etw_packed_number!(msg, 72, 10) AS disk,
      _etw_packed_number!(msg, 82, 10) AS tid,
      substr(msg, 93, 1) AS priority
    FROM android_logs
    WHERE tag GLOB 'DiskIo/*' AND tag NOT GLOB '*Init' AND _etw_has_packed!(msg)
  ),
  owned AS (
    SELECT
      d.*,
      coalesce(
        CASE
          WHEN o.utid IS NOT NULL THEN iif(d.ts BETWEEN o.from_ts AND o.until_ts, o.utid, NULL)
          -- Dearer, and seldom needed.
          WHEN o.tid IS NOT NULL THEN _etw_utid_at!(d.tid, d.ts)
        END,
        nullif(i.utid, 0)
      ) AS owner
    FROM done AS d
    LEFT JOIN thread_of AS o ON o.tid = d.tid
    LEFT JOIN init AS i ON i.ts = d.init_ts
  )
SELECT
  d.id AS event,
  d.ts - ifnull(d.dur, 0) AS ts,
  d.dur,
  CASE WHEN d.tag GLOB '*Read' THEN 'read' WHEN d.tag GLOB '*Write' THEN 'write' ELSE 'flush' END AS kind,
  d.owner AS utid,
  t.upid,
  n.path,
  d.size_bytes,
  d.disk,
  CASE d.priority
    WHEN '1' THEN 'VeryLow'
    WHEN '2' THEN 'Low'
    WHEN '3' THEN 'Normal'
    WHEN '4' THEN 'High'
    WHEN '5' THEN 'Critical'
  END AS priority,
  s.callsite
FROM owned AS d
LEFT JOIN thread AS t ON t.utid = d.owner
LEFT JOIN name AS n ON n.file_key = d.file_key AND n.from_ts <= d.ts AND n.until_ts > d.ts
LEFT JOIN etw_event_stack AS s ON s.ts = d.init_ts
ORDER BY 2;

DROP TABLE _etw_only_thread;

-- Disk I/O, one row for each transfer that the disk finished within the recording, and for each flush.
--
-- Recorded with the kernel flag `DISK_IO`; with `DISK_IO_INIT` its stacks and, before Windows 8, its threads are known.
CREATE PERFETTO VIEW etw_disk_io(
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
SELECT
  i.ts,
  i.dur,
  i.kind,
  _etw_message!(i.event) ->> '$.c' AS cpu,
  i.utid,
  i.upid,
  i.path,
  _etw_message!(i.event) ->> '$.f.ByteOffset' AS byte_offset,
  i.size_bytes,
  i.disk,
  i.priority,
  CAST(_etw_message!(i.event) ->> '$.f.IrpFlags' AS TEXT) AS irp_flags,
  _etw_message!(i.event) ->> '$.f.Irp' AS irp,
  i.callsite
FROM _etw_disk_io AS i;

-- Ends of operations on files, by when they began; those whose begin is not there have a time of no begin.
CREATE PERFETTO TABLE _etw_file_end AS
SELECT
  ts - CAST(substr(msg, 7, 16) AS INT) AS begin_ts,
  ts,
  _etw_packed_number!(msg, 23, 20) AS done,
  _etw_packed_text!(msg, 43, 11) AS status
FROM android_logs
WHERE tag = 'FileIo/OperationEnd' AND _etw_has_packed!(msg)
ORDER BY 1;

-- Operations on files, likewise.
CREATE PERFETTO TABLE _etw_file_io AS
WITH
  name AS MATERIALIZED (SELECT file_key, from_ts, until_ts, path FROM _etw_file_name),
  begun AS (
    SELECT
      id,
      ts,
      substr(tag, 8) AS name,
      msg,
      _etw_packed_text!(msg, 7, 19) AS file_key,
      _etw_packed_number!(msg, 26, 10) AS size_bytes,
      iif(utid != 0, utid, _etw_utid_at!(msg ->> '$.f.ThreadId', ts)) AS owner
    FROM android_logs
    WHERE
      tag GLOB 'FileIo/*'
      AND tag NOT IN (
        'FileIo/OperationEnd',
        'FileIo/Name',
        'FileIo/FileCreate',
        'FileIo/FileDelete',
        'FileIo/FileRundown'
      )
      AND tag NOT GLOB 'FileIo/*apFile*'
      AND _etw_has_packed!(msg)
  )
SELECT
  b.id AS event,
  b.ts,
  e.ts - b.ts AS dur,
  CASE b.name
    WHEN 'QueryInfo' THEN 'query_info'
    WHEN 'SetInfo' THEN 'set_info'
    WHEN 'DirEnum' THEN 'dir_enum'
    WHEN 'DirNotify' THEN 'dir_notify'
    WHEN 'FSControl' THEN 'fs_control'
    WHEN 'CreateNew' THEN 'create_new'
    WHEN 'DeletePath' THEN 'delete_path'
    WHEN 'RenamePath' THEN 'rename_path'
    WHEN 'LinkPath' THEN 'link_path'
    ELSE lower(b.name)
  END AS kind,
  b.owner AS utid,
  t.upid,
  coalesce(
    iif(
      b.name GLOB 'Create*' OR b.name GLOB '*Path',
      ifnull(b.msg ->> '$.f.OpenPath', b.msg ->> '$.f.FileName'),
      NULL
    ),
    n.path
  ) AS path,
  b.size_bytes,
  e.done,
  e.status,
  s.callsite
FROM begun AS b
LEFT JOIN _etw_file_end AS e ON e.begin_ts = b.ts
LEFT JOIN thread AS t ON t.utid = b.owner
LEFT JOIN name AS n ON n.file_key = b.file_key AND n.from_ts <= b.ts AND n.until_ts > b.ts
LEFT JOIN etw_event_stack AS s ON s.ts = b.ts
ORDER BY b.ts;

DROP TABLE _etw_file_end;

-- Operations on files, whether the cache or a disk served them.
--
-- Recorded with the kernel flag `FILE_IO_INIT`, their ends with `FILE_IO`.
CREATE PERFETTO VIEW etw_file_io(
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
SELECT
  i.ts,
  i.dur,
  i.kind,
  _etw_message!(i.event) ->> '$.c' AS cpu,
  i.utid,
  i.upid,
  i.path,
  _etw_message!(i.event) ->> '$.f.Offset' AS byte_offset,
  i.size_bytes,
  i.done,
  i.status,
  _etw_message!(i.event) ->> '$.f.Irp' AS irp,
  i.callsite
FROM _etw_file_io AS i;

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
LEFT JOIN etw_event_stack AS s ON s.ts = f.te
ORDER BY 1;
