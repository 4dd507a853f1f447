-- Events of any kind that have no table of their own, with their fields as JSON.

-- Events that no other table has a row for, as their providers wrote them. A field is read from the JSON, as in
-- `SELECT ts, fields ->> '$.VirtualKey' FROM etw_generic_event WHERE name = 'KeyDown'`.
--
-- Fields are named by the trace's own descriptions of its events (TraceLogging, a merged trace, EventSource) or by
-- those that the converter knows: of the kernel, the .NET runtime, Kernel-Network, Kernel-Power, Kernel-Process, Win32k,
-- HttpService, PowerShell and UIforETW. The bytes of an event that nothing describes are in the field `$raw`, what is left
-- of one that does not fit its description in `$rest`, both in hexadecimal: `fields ->> '$."$raw"'`.
CREATE PERFETTO VIEW etw_generic_event(
  -- Timestamp of the event.
  ts TIMESTAMP,
  -- The CPU; null if the recording does not tell CPUs apart.
  cpu LONG,
  -- The thread that wrote the event; null if the event names none, was not written within its thread's life, or was
  -- written while the CPU was idle.
  utid LONG,
  -- Name of the provider, or its GUID if that is all that is known. For the kernel's own events their group.
  provider STRING,
  -- Id of the event within its provider; 0 for most TraceLogging events. For classic events the type, for the kernel's
  -- own the group and type: 0x0220 for a hard fault.
  event_id LONG,
  -- Version of its layout.
  version LONG,
  -- Opcode: 1 start, 2 stop, 10 and more are the provider's own.
  opcode LONG,
  -- Task: a number of the provider's own.
  task LONG,
  -- Level: 1 critical, 2 error, 3 warning, 4 information, 5 verbose, 0 not given.
  level LONG,
  -- Keywords: 64 bits of the provider's own, as a signed integer.
  keywords LONG,
  -- Name of the event, or its task and opcode, or its number.
  name STRING,
  -- The event's own data: a JSON object with a member for each field.
  fields STRING,
  -- The activity that it belongs to, a GUID: all events of one request, task or transfer have the same. Null if none.
  activity_id STRING,
  -- The activity that it is related to: for the start of an activity, the one that started it. Null if none.
  related_activity_id STRING,
  -- What else its header tells, these two among it: a JSON object that may hold `UserSID`, `SessionId`, `InstanceId`,
  -- `ProcessStartKey`, `ContainerId` and others. Null if nothing.
  header STRING,
  -- Key of the event: events count from 0, in the order of time.
  id LONG,
  -- Provider and name as one text, `provider/name`: events are found faster by it than by these two.
  kind STRING
) AS
-- The log messages that carry generic events: `tag` is `provider/name`, `msg` the JSON object of docs/encoding.md.
SELECT
  ts,
  msg ->> '$.c' AS cpu,
  -- The importer's thread 0 stands for no thread as well.
  nullif(utid, 0) AS utid,
  substr(tag, 1, instr(tag, '/') - 1) AS provider,
  msg ->> '$.i' AS event_id,
  ifnull(msg ->> '$.v', 0) AS version,
  ifnull(msg ->> '$.o', 0) AS opcode,
  ifnull(msg ->> '$.t', 0) AS task,
  ifnull(msg ->> '$.l', 0) AS level,
  ifnull(msg ->> '$.k', 0) AS keywords,
  substr(tag, instr(tag, '/') + 1) AS name,
  msg -> '$.f' AS fields,
  msg ->> '$.h.ActivityId' AS activity_id,
  msg ->> '$.h.RelatedActivityId' AS related_activity_id,
  msg -> '$.h' AS header,
  id,
  tag AS kind
FROM android_logs;
