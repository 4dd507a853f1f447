-- The trace itself: what was recorded, what was read of it, and what is missing.

-- The recording and its conversion. One row; none in a trace that was not converted from an .etl.
CREATE PERFETTO TABLE etw_trace(
  -- Timestamp of the log file header's event, with which the recording starts.
  start_ts TIMESTAMP,
  -- Timestamp of the recording's end; of the selection's, if only a part was converted.
  end_ts TIMESTAMP,
  -- From the recording's start to `end_ts`, in ns.
  dur_ns DURATION,
  -- The start in UTC, in ns since 1970.
  start_utc_ns LONG,
  -- When the machine booted, in UTC, in ns since 1970.
  boot_utc_ns LONG,
  -- Minutes that the machine's local time was ahead of UTC at the start, in daylight time where it was in force.
  utc_offset_minutes LONG,
  -- Name of the recording session.
  session_name STRING,
  -- The log file's name on the machine that recorded it.
  file_name STRING,
  -- Build number of Windows.
  os_build LONG,
  -- Version of Windows.
  os_version STRING,
  -- Size of a pointer on the recorded machine: 4 or 8.
  pointer_bytes LONG,
  -- Number of CPUs.
  cpu_count LONG,
  -- Clock rate of a CPU in MHz.
  cpu_mhz LONG,
  -- Clock of the recording: `qpc`, `system_time` or `cpu_cycles`.
  clock STRING,
  -- Ticks of that clock per second.
  clock_hz LONG,
  -- Period of the clock interrupt in ns.
  timer_resolution_ns LONG,
  -- Events in the file: the sum of the next three.
  events_read LONG,
  -- Events that became rows of their own kind.
  events_converted LONG,
  -- Events kept undecoded or as generic events.
  events_generic LONG,
  -- Events left out; `etw_event_count` has the reasons.
  events_skipped LONG,
  -- Events that Windows says it lost.
  events_lost LONG,
  -- Buffers in the file.
  buffers_read LONG,
  -- Buffers that Windows says it lost.
  buffers_lost LONG,
  -- Context switches converted.
  context_switches LONG,
  -- Ready thread events converted.
  ready_threads LONG,
  -- Kernel event groups that were switched on: group masks as hexadecimal words.
  kernel_flags STRING,
  -- Where the converted part begins; null if it is not cut there. What held then is in the tables with its own, earlier `ts`.
  selected_from_ts TIMESTAMP,
  -- Where the converted part ends; null if it is not cut there.
  selected_to_ts TIMESTAMP,
  -- The kinds of events that were converted, in words such as `only scheduling,samples`; null for all.
  selected_kinds STRING,
  -- How many processes were chosen: only these have more than scheduling; null for all.
  selected_processes LONG,
  -- What was done with texts before the trace was given away, such as `names=pseudonym,titles=remove`; null for nothing.
  redacted STRING
) AS
SELECT
  ts AS start_ts,
  iif(end_ts IS NULL, trace_end(), end_ts) AS end_ts,
  iif(end_ts IS NULL, trace_end(), end_ts) - ts AS dur_ns,
  extract_arg(arg_set_id, 'debug.start_utc_ns') AS start_utc_ns,
  extract_arg(arg_set_id, 'debug.boot_utc_ns') AS boot_utc_ns,
  extract_arg(arg_set_id, 'debug.utc_offset_minutes') AS utc_offset_minutes,
  extract_arg(arg_set_id, 'debug.session_name') AS session_name,
  extract_arg(arg_set_id, 'debug.file_name') AS file_name,
  extract_arg(arg_set_id, 'debug.os_build') AS os_build,
  extract_arg(arg_set_id, 'debug.os_version') AS os_version,
  extract_arg(arg_set_id, 'debug.pointer_bytes') AS pointer_bytes,
  extract_arg(arg_set_id, 'debug.cpu_count') AS cpu_count,
  extract_arg(arg_set_id, 'debug.cpu_mhz') AS cpu_mhz,
  extract_arg(arg_set_id, 'debug.clock') AS clock,
  extract_arg(arg_set_id, 'debug.clock_hz') AS clock_hz,
  extract_arg(arg_set_id, 'debug.timer_resolution_ns') AS timer_resolution_ns,
  extract_arg(arg_set_id, 'debug.events_read') AS events_read,
  extract_arg(arg_set_id, 'debug.events_converted') AS events_converted,
  extract_arg(arg_set_id, 'debug.events_generic') AS events_generic,
  extract_arg(arg_set_id, 'debug.events_skipped') AS events_skipped,
  extract_arg(arg_set_id, 'debug.events_lost') AS events_lost,
  extract_arg(arg_set_id, 'debug.buffers_read') AS buffers_read,
  extract_arg(arg_set_id, 'debug.buffers_lost') AS buffers_lost,
  extract_arg(arg_set_id, 'debug.context_switches') AS context_switches,
  extract_arg(arg_set_id, 'debug.ready_threads') AS ready_threads,
  extract_arg(arg_set_id, 'debug.kernel_flags') AS kernel_flags,
  extract_arg(arg_set_id, 'debug.selected_from_ts') AS selected_from_ts,
  extract_arg(arg_set_id, 'debug.selected_to_ts') AS selected_to_ts,
  extract_arg(arg_set_id, 'debug.selected_kinds') AS selected_kinds,
  extract_arg(arg_set_id, 'debug.selected_processes') AS selected_processes,
  extract_arg(arg_set_id, 'debug.redacted') AS redacted
FROM (
  SELECT ts, arg_set_id, extract_arg(arg_set_id, 'debug.end_ts') AS end_ts
  FROM slice
  WHERE name = 'etw.trace'
  ORDER BY ts
  LIMIT 1
);

-- A tick of the recording's clock in ns: shorter times only keep apart what was recorded at one time. That of the usual clock where
-- the trace does not tell.
CREATE PERFETTO FUNCTION _etw_tick_ns()
RETURNS DOUBLE AS
SELECT ifnull(1e9 / (SELECT clock_hz FROM etw_trace WHERE clock_hz > 0), 100.0);

-- How many events of each kind the .etl file holds, and what became of them.
CREATE PERFETTO TABLE etw_event_count(
  -- The provider's name, or its GUID if that is all that is known.
  provider STRING,
  -- The event's name or number.
  event STRING,
  -- Version of the event's layout.
  version LONG,
  -- `converted`: has rows of its own kind. `generic`: kept as a generic event. `skipped`: left out.
  fate STRING,
  -- Why it was skipped; null for the others.
  reason STRING,
  -- Number of events.
  count LONG
) AS
SELECT
  extract_arg(arg_set_id, 'debug.provider') AS provider,
  CAST(extract_arg(arg_set_id, 'debug.event') AS TEXT) AS event,
  extract_arg(arg_set_id, 'debug.version') AS version,
  extract_arg(arg_set_id, 'debug.fate') AS fate,
  extract_arg(arg_set_id, 'debug.reason') AS reason,
  extract_arg(arg_set_id, 'debug.count') AS count
FROM slice
WHERE name = 'etw.events'
ORDER BY count DESC, provider, event, version;

-- Stretches of time with something missing, and events whose times cannot be right.
CREATE PERFETTO TABLE etw_loss(
  -- Timestamp at which the gap starts.
  ts TIMESTAMP,
  -- Length of the gap in ns; 0 where only its place is known. Where only the number is known, as the file's header counts it, the
  -- gap is the recording. A gap before a CPU's first event begins with the recording, and one after its last event ends with it.
  dur DURATION,
  -- The CPU whose events are missing: nothing that ran on it is told there. Null where it is not known, or of all: then what ran is
  -- told as far as it is known.
  cpu LONG,
  -- `lost_events`, `lost_buffers`, `truncated`, `damaged_buffer`, `bad_event`, `lost_stacks`, `lost_methods`,
  -- `lost_ends`, `left_out_file` (of an archive, since it is of another recording) or `bad_time`.
  kind STRING,
  -- How many events or buffers are missing or have bad times; null where it is not known.
  count LONG,
  -- What happened, in words.
  message STRING
) AS
SELECT
  ts,
  ifnull(extract_arg(arg_set_id, 'debug.dur_ns'), 0) AS dur,
  extract_arg(arg_set_id, 'debug.cpu') AS cpu,
  extract_arg(arg_set_id, 'debug.kind') AS kind,
  extract_arg(arg_set_id, 'debug.count') AS count,
  extract_arg(arg_set_id, 'debug.message') AS message
FROM slice
WHERE name = 'etw.loss'
ORDER BY ts;
