-- Processes and threads, a row for each incarnation: Windows reuses their ids.
INCLUDE PERFETTO MODULE etw.service;

INCLUDE PERFETTO MODULE etw.trace;

-- The threads that events name and nothing describes: their start and their rundowns are lost, or were not recorded. Perfetto
-- makes up a thread for each process, with the id of the process, which no thread of Windows has; 0xFFFFFFFF stands for none.
CREATE PERFETTO TABLE _etw_undescribed_thread AS
SELECT th.utid, th.tid, th.upid, p.pid, th.name, ifnull(p.name, 'pid ' || p.pid) AS process_name
FROM thread AS th
LEFT JOIN process AS p USING (upid)
WHERE
  th.tid NOT IN (0, 0xFFFFFFFF)
  AND p.pid IS NOT th.tid
  AND th.utid NOT IN (
    SELECT t.utid FROM slice AS s JOIN thread_track AS t ON t.id = s.track_id WHERE s.name = 'etw.thread'
  )
  AND EXISTS (SELECT 1 FROM etw_trace)
ORDER BY th.utid;

-- One incarnation of a process.
CREATE PERFETTO TABLE etw_process(
  -- Key of this incarnation, as in Perfetto's own tables.
  upid LONG,
  -- Windows' process id.
  pid LONG,
  -- Name of the image file, such as `explorer.exe`; `pid N` of a process that only its threads or its events name.
  name STRING,
  -- Process id of the creator, which may be gone or reused.
  parent_pid LONG,
  -- Key of the creator: the process that had that id then. Null if it is not in the trace.
  parent_upid LONG,
  -- When it was created; null if that was before the recording.
  create_ts TIMESTAMP,
  -- When it ended; null if it did not within the recording.
  exit_ts TIMESTAMP,
  -- The command line; null if it was not recorded.
  command_line STRING,
  -- Terminal session: 0 for services; null for processes of no session, such as System.
  session LONG,
  -- Names of the services that it hosts, with commas between; null if it hosts none, or they were not recorded.
  services STRING,
  -- What it ended with; null if it did not end within the recording.
  exit_code LONG,
  -- Security identifier of its user.
  sid STRING,
  -- Full name of its app package; null for a desktop program.
  package STRING,
  -- Id of the application within the package.
  application STRING,
  -- Bits: 1 has an application id, 2 a 32-bit process of a 64-bit Windows, 4 protected, 8 packaged. Null if not recorded:
  -- Windows 8 and later tell it.
  flags LONG
) AS
WITH
  told AS MATERIALIZED (
    SELECT
      p.upid, p.name, p.cmdline, s.arg_set_id,
      extract_arg(s.arg_set_id, 'debug.pid') AS pid,
      extract_arg(s.arg_set_id, 'debug.parent_pid') AS parent_pid,
      extract_arg(s.arg_set_id, 'debug.create_ts') AS create_ts,
      extract_arg(s.arg_set_id, 'debug.exit_ts') AS exit_ts
    FROM slice AS s
    JOIN process_track AS t ON t.id = s.track_id
    JOIN process AS p USING (upid)
    WHERE s.name = 'etw.process'
    UNION ALL
    SELECT DISTINCT upid, process_name, NULL, NULL, pid, NULL, NULL, NULL
    FROM _etw_undescribed_thread
    WHERE upid NOT IN (
      SELECT t.upid FROM slice AS s JOIN process_track AS t ON t.id = s.track_id WHERE s.name = 'etw.process'
    )
  ),
  -- In the order in which they were created, in which those from before the trace stand too. One that an event names before
  -- System, the first of all, is the recorder: it came late.
  created AS MATERIALIZED (
    SELECT
      *,
      row_number() OVER (
        ORDER BY ifnull(create_ts, 0), upid < (SELECT MIN(upid) FROM told WHERE pid = 4), upid
      ) AS number
    FROM told
    WHERE pid != 0
  ),
  -- SQLite takes the other columns from the row of the MAX.
  parent AS MATERIALIZED (
    SELECT c.upid, p.upid AS parent_upid, MAX(p.number)
    FROM created AS c
    JOIN created AS p ON p.pid = c.parent_pid
    WHERE p.number < c.number AND (p.exit_ts IS NULL OR p.exit_ts >= ifnull(c.create_ts, 0))
    GROUP BY c.upid
  )
SELECT
  p.upid,
  p.pid,
  p.name,
  p.parent_pid,
  parent.parent_upid,
  p.create_ts,
  p.exit_ts,
  -- Perfetto joins what `process_tree` lists with blanks: the image name, then the whole command line.
  nullif(substr(p.cmdline, length(p.name) + 2), '') AS command_line,
  -- Windows' mark for no session is -1 in 32 bits.
  nullif(extract_arg(p.arg_set_id, 'debug.session'), 0xFFFFFFFF) AS session,
  (
    SELECT group_concat(DISTINCT v.name)
    FROM etw_service AS v
    WHERE v.pid = p.pid AND v.ts >= ifnull(p.create_ts, v.ts) AND v.ts <= ifnull(p.exit_ts, v.ts)
  ) AS services,
  extract_arg(p.arg_set_id, 'debug.exit_code') AS exit_code,
  extract_arg(p.arg_set_id, 'debug.sid') AS sid,
  extract_arg(p.arg_set_id, 'debug.package') AS package,
  extract_arg(p.arg_set_id, 'debug.application') AS application,
  extract_arg(p.arg_set_id, 'debug.flags') AS flags
FROM told AS p
LEFT JOIN parent USING (upid)
ORDER BY p.upid;

-- The process that had a pid at a time; null if none is known.
CREATE PERFETTO MACRO _etw_upid_at(
  -- The process id.
  pid Expr,
  -- The time.
  ts Expr
)
RETURNS Expr AS
(
  SELECT p.upid
  FROM etw_process AS p
  WHERE
    p.pid = $pid
    AND ifnull(p.create_ts, $ts) <= $ts
    AND ifnull(p.exit_ts, $ts) >= $ts
  ORDER BY p.create_ts DESC
  LIMIT 1
);

-- One incarnation of a thread. A thread that events name has a row too where the recording does not describe it.
CREATE PERFETTO TABLE etw_thread(
  -- Key of this incarnation, as in Perfetto's own tables.
  utid LONG,
  -- Windows' thread id.
  tid LONG,
  -- Key of its process in `etw_process`; null, as what follows of the process, where nothing tells which one it is of.
  upid LONG,
  -- Its process id.
  pid LONG,
  -- Name of its process.
  process_name STRING,
  -- Name of the thread; null if it has none.
  name STRING,
  -- Priority without boosts, 0 to 31; null if it was not recorded.
  base_priority LONG,
  -- Address at which it started.
  start_address LONG,
  -- When it was created; null if that was before the recording.
  create_ts TIMESTAMP,
  -- When it ended; null if it did not within the recording.
  exit_ts TIMESTAMP,
  -- Priority of its disk requests, 0 to 4.
  io_priority LONG,
  -- Priority of its memory pages, 0 to 7.
  page_priority LONG,
  -- Which service of a shared process it worked for last: Windows' number for it.
  sub_process_tag LONG,
  -- Name of that service; null if it works for none, or services were not recorded.
  service STRING
) AS
SELECT
  th.utid,
  extract_arg(s.arg_set_id, 'debug.tid') AS tid,
  th.upid,
  extract_arg(s.arg_set_id, 'debug.pid') AS pid,
  p.name AS process_name,
  th.name,
  extract_arg(s.arg_set_id, 'debug.base_priority') AS base_priority,
  extract_arg(s.arg_set_id, 'debug.start_address') AS start_address,
  extract_arg(s.arg_set_id, 'debug.create_ts') AS create_ts,
  extract_arg(s.arg_set_id, 'debug.exit_ts') AS exit_ts,
  extract_arg(s.arg_set_id, 'debug.io_priority') AS io_priority,
  extract_arg(s.arg_set_id, 'debug.page_priority') AS page_priority,
  extract_arg(s.arg_set_id, 'debug.sub_process_tag') AS sub_process_tag,
  (
    SELECT v.name
    FROM etw_service AS v
    WHERE
      v.pid = extract_arg(s.arg_set_id, 'debug.pid')
      AND v.sub_process_tag = nullif(extract_arg(s.arg_set_id, 'debug.sub_process_tag'), 0)
    LIMIT 1
  ) AS service
FROM slice AS s
JOIN thread_track AS t ON t.id = s.track_id
JOIN thread AS th USING (utid)
LEFT JOIN process AS p USING (upid)
WHERE s.name = 'etw.thread'
UNION ALL
SELECT utid, tid, upid, pid, process_name, name, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM _etw_undescribed_thread
ORDER BY 1;

CREATE PERFETTO INDEX _etw_thread_tid ON etw_thread(tid);

-- A thread in words, as views name it: `svchost.exe Winmgmt (tid 20, pump)`. Of several services it has the first, and how many
-- more. Null of a thread that is not known. It is looked up each time: ask for it in rows that are few.
CREATE PERFETTO FUNCTION etw_thread_label(
  -- Key of the thread.
  utid LONG
)
RETURNS STRING AS
SELECT
  ifnull(l.process_name, 'unknown process')
  || ifnull(
    ' ' || iif(l.more = 0, l.services, substr(l.services, 1, instr(l.services, ',') - 1) || ' +' || l.more),
    ''
  )
  || ' (tid ' || l.tid || ifnull(', ' || nullif(l.name, ''), '') || ')'
FROM (
  SELECT
    t.process_name, t.tid, t.name,
    nullif(ifnull(t.service, p.services), '') AS services,
    length(ifnull(t.service, p.services)) - length(replace(ifnull(t.service, p.services), ',', '')) AS more
  FROM etw_thread AS t
  LEFT JOIN etw_process AS p USING (upid)
  WHERE t.utid = $utid
) AS l;

-- The thread that had a thread id at a time; null if none is known.
CREATE PERFETTO MACRO _etw_utid_at(
  -- The thread id.
  tid Expr,
  -- The time.
  ts Expr
)
RETURNS Expr AS
(
  SELECT t.utid
  FROM etw_thread AS t
  WHERE
    t.tid = $tid
    AND ifnull(t.create_ts, $ts) <= $ts
    AND ifnull(t.exit_ts, $ts) >= $ts
  ORDER BY t.create_ts DESC
  LIMIT 1
);
