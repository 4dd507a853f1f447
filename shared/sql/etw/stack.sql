-- Stacks: of samples, of context switches and of any other event.
INCLUDE PERFETTO MODULE etw.words;

-- The words that say what a number says in traces of schema 1. Layout: docs/encoding.md, "Schema 1".
CREATE PERFETTO FUNCTION _etw_sample_value_words(
  -- The number.
  value LONG
)
RETURNS STRING AS
SELECT
  CASE
    WHEN $value >> 48 & 1
    THEN concat_ws(
      ' ',
      'kind=' || CASE
        WHEN $value >> 17 & 1 THEN 'event'
        WHEN NOT $value >> 16 & 1 THEN NULL
        WHEN $value & 0xFFFF = 0x0524 THEN 'context_switch'
        WHEN $value & 0xFFFF = 0x0532 THEN 'ready_thread'
        WHEN $value & 0xFFFF BETWEEN 0x0301 AND 0x0304 THEN 'process'
        WHEN $value & 0xFFFF BETWEEN 0x0501 AND 0x0504 THEN 'thread'
        WHEN $value & 0xFFFF = 0x030A OR $value & 0xFFFF BETWEEN 0x1402 AND 0x1404 THEN 'image'
        WHEN $value & 0xFFFF BETWEEN 0x0F42 AND 0x0F45 OR $value & 0xFFFF IN (0x0F32, 0x0F5F) THEN 'interrupt'
        ELSE 'event'
      END,
      iif($value >> 16 & 1, 'event_id=' || ($value & 0xFFFF), NULL),
      iif($value >> 18 & 1, NULL, 'cpu=unknown')
    )
    WHEN $value >> 49 & 1
    THEN concat_ws(' ', 'source=' || ($value & 0xFFFF), 'weight_events=' || nullif($value >> 16 & 0xFFFFFFFF, 0))
    ELSE concat_ws(
      ' ',
      'rank=' || nullif($value & 255, 255),
      iif($value >> 13 & 1, 'priority=' || ($value >> 8 & 31), NULL),
      iif($value >> 14 & 1, 'in_dpc=1', NULL),
      iif($value >> 15 & 1, 'in_isr=1', NULL),
      'weight_ns=' || (nullif($value >> 16, 0) * 100)
    )
  END;

-- What is said in words of samples, and of the events that stacks are of, each once; in schema 1 as a number, which `value` has. `told`
-- says of what: `etw.sample`, `etw.pmc_sample` or `etw.event_stack`.
CREATE PERFETTO TABLE _etw_stack_fact AS
WITH
  said AS (
    SELECT t.name AS told, s.words, NULL AS value
    FROM track AS t
    JOIN (
      SELECT DISTINCT track_id, name AS words
      FROM slice
      WHERE track_id IN (SELECT id FROM track WHERE name IN ('etw.sample', 'etw.pmc_sample', 'etw.event_stack'))
    ) AS s ON s.track_id = t.id
    UNION ALL
    SELECT
      CASE
        WHEN value >> 48 & 1 THEN 'etw.event_stack'
        WHEN value >> 49 & 1 THEN 'etw.pmc_sample'
        ELSE 'etw.sample'
      END,
      _etw_sample_value_words(value),
      value
    FROM (
      SELECT DISTINCT CAST(value AS INT) AS value
      FROM __intrinsic_counter
      WHERE track_id IN (SELECT id FROM track WHERE name = 'etw.sample')
    )
  )
SELECT
  row_number() OVER () AS fact,
  told,
  words,
  value,
  CAST(_etw_word(words, 'priority') AS INT) AS priority,
  CAST(_etw_word(words, 'rank') AS INT) AS rank,
  _etw_word(words, 'in_dpc') IS NOT NULL AS in_dpc,
  _etw_word(words, 'in_isr') IS NOT NULL AS in_isr,
  CAST(_etw_word(words, 'weight_ns') AS INT) AS weight_ns,
  CAST(_etw_word(words, 'source') AS INT) AS source,
  CAST(_etw_word(words, 'weight_events') AS INT) AS weight_events,
  _etw_word(words, 'kind') AS kind,
  CAST(_etw_word(words, 'event_id') AS INT) AS event_id,
  _etw_word(words, 'cpu') IS NULL AS has_cpu
FROM said;

-- Which of these a sample or the stack of an event has, by its time.
CREATE PERFETTO TABLE _etw_stack_told AS
SELECT s.ts, f.fact
FROM track AS t
CROSS JOIN slice AS s ON s.track_id = t.id
JOIN _etw_stack_fact AS f ON f.words = s.name AND f.told = t.name
WHERE t.name IN ('etw.sample', 'etw.pmc_sample', 'etw.event_stack')
UNION ALL
SELECT c.ts, f.fact
FROM __intrinsic_counter AS c
JOIN _etw_stack_fact AS f ON f.value = CAST(c.value AS INT)
WHERE c.track_id IN (SELECT id FROM track WHERE name = 'etw.sample')
ORDER BY 1;

-- The samples and the stacks of events of one kind, with what is told of them.
CREATE PERFETTO MACRO _etw_stacks_of(
  -- Of what.
  of Expr
)
RETURNS TableOrSubquery AS
(
  SELECT s.ts, s.cpu, s.utid, s.cpu_mode = 'kernel' AS is_kernel, s.callsite_id AS callsite, f.*
  FROM perf_sample AS s
  JOIN _etw_stack_told AS t ON t.ts = s.ts
  JOIN _etw_stack_fact AS f ON f.fact = t.fact
  WHERE f.told = $of
);

-- The samples.
CREATE PERFETTO TABLE _etw_sample AS
SELECT ts, cpu, utid, priority, rank, in_dpc, in_isr, is_kernel, callsite, weight_ns
FROM _etw_stacks_of!('etw.sample')
ORDER BY ts;

-- The samples of hardware counters.
CREATE PERFETTO TABLE _etw_pmc_sample AS
SELECT ts, cpu, utid, source, is_kernel, callsite, weight_events
FROM _etw_stacks_of!('etw.pmc_sample')
ORDER BY ts;

-- The stacks of events.
CREATE PERFETTO TABLE _etw_event_stack AS
SELECT ts, iif(has_cpu, cpu, NULL) AS cpu, utid, kind, event_id, callsite
FROM _etw_stacks_of!('etw.event_stack')
ORDER BY ts;

DROP TABLE _etw_stack_told;

DROP TABLE _etw_stack_fact;

-- Stacks recorded with events other than samples of the profile. The event's own row, in the table of its `kind`,
-- has the same `ts`; an interrupt is recorded where it ends, at `ts + dur`.
CREATE PERFETTO VIEW etw_event_stack(
  -- Timestamp of the event.
  ts TIMESTAMP,
  -- The CPU; null where it is not known.
  cpu LONG,
  -- The thread whose stack it is. Of a context switch that is the new thread: the stack shows where it had waited. Of a
  -- ready thread event it is the one that made the other ready; where `ready_flags` names a DPC it was only
  -- interrupted.
  utid LONG,
  -- `context_switch`, `ready_thread`, `process`, `thread` or `image` (a start, end, load or unload), `interrupt`, or
  -- `event`: a row of `etw_generic_event`. Null if the event itself is not in the recording.
  kind STRING,
  -- Group and type of a kernel event, as in `etw_generic_event`; null for the events of other providers.
  event_id LONG,
  -- The innermost call, in `etw_stack_frame`; `etw_stack` lists the whole stack.
  callsite LONG
) AS
SELECT ts, cpu, utid, kind, event_id, callsite
FROM _etw_event_stack;

-- The tree of calls that all stacks are in, by keys alone: `etw_stack_frame` tells what they are of. A key of a call or of an
-- instruction holds within one piece of SQL: the engine that answers another one may have other keys.
CREATE PERFETTO VIEW etw_callsite(
  -- Key of the call.
  callsite LONG,
  -- The call that called it; null for the outermost.
  caller LONG,
  -- How many calls called it, directly or not.
  depth LONG,
  -- Key of its instruction, in `etw_frame`.
  frame LONG
) AS
SELECT id AS callsite, parent_id AS caller, depth, frame_id AS frame
FROM stack_profile_callsite;

-- The instructions that stacks are of.
CREATE PERFETTO VIEW etw_frame(
  -- Key of the instruction.
  frame LONG,
  -- Key of what it lies in, in `etw_mapping`.
  mapping LONG,
  -- Its address less that of the mapping.
  mapping_offset LONG
) AS
SELECT id AS frame, mapping, rel_pc AS mapping_offset
FROM stack_profile_frame;

-- The methods of .NET that instructions are in, as the recording tells them. Instructions in other code have no row: see
-- `etw_symbol`.
CREATE PERFETTO VIEW etw_frame_function(
  -- Key of the instruction.
  frame LONG,
  -- Name of the method: `Namespace.Type.Method`.
  function STRING
) AS
SELECT id AS frame, name AS function
FROM stack_profile_frame
WHERE name != '';

-- What the instructions of stacks lie in: an image at an address, or generated code. One image may have several rows.
CREATE PERFETTO VIEW etw_mapping(
  -- Key of the mapping.
  mapping LONG,
  -- Path of the file, as Windows names it. For the generated code of a .NET method the file that the method is from, or
  -- `[.NET]` where that was not recorded. Null where nothing is known.
  module STRING,
  -- Address of its first byte; 0 for generated code and where nothing is known.
  start LONG,
  -- Size in memory in bytes; 0 likewise.
  size_bytes LONG,
  -- 1 for an image, 0 for generated code and where nothing is known.
  is_image LONG,
  -- GUID of its symbols, as in `etw_image`; null where it is not known.
  guid STRING
) AS
SELECT
  id AS mapping,
  -- The importer puts a slash before the path.
  nullif(substr(name, 2), '') AS module,
  start,
  "end" - start AS size_bytes,
  "end" != 0 AS is_image,
  -- The importer keeps its digits alone.
  iif(
    length(build_id) = 32,
    printf(
      '%s-%s-%s-%s-%s',
      substr(build_id, 1, 8),
      substr(build_id, 9, 4),
      substr(build_id, 13, 4),
      substr(build_id, 17, 4),
      substr(build_id, 21)
    ),
    NULL
  ) AS guid
FROM stack_profile_mapping;
