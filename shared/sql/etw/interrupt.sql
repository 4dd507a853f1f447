-- Interrupts: what takes a CPU away from its thread without a context switch.
INCLUDE PERFETTO MODULE etw.trace;

-- What interrupts have in common: the routine that ran.
CREATE PERFETTO TABLE _etw_interrupt_source AS
SELECT
  extract_arg(arg_set_id, 'debug.source') AS source,
  extract_arg(arg_set_id, 'debug.kind') AS kind,
  extract_arg(arg_set_id, 'debug.routine') AS routine,
  extract_arg(arg_set_id, 'debug.module') AS module,
  extract_arg(arg_set_id, 'debug.rva') AS rva,
  extract_arg(arg_set_id, 'debug.vector') AS vector,
  extract_arg(arg_set_id, 'debug.return_value') AS return_value,
  extract_arg(arg_set_id, 'debug.message') AS message
FROM slice
WHERE name = 'etw.interrupt_source'
ORDER BY source;

-- Durations that a number of schema 1 has no room for. Layout: docs/encoding.md, "Schema 1".
CREATE PERFETTO TABLE _etw_interrupt_of_minutes AS
SELECT
  ts AS te,
  extract_arg(arg_set_id, 'debug.cpu') AS cpu,
  extract_arg(arg_set_id, 'debug.dur_ns') AS dur
FROM slice
WHERE name = 'etw.long_interrupt';

-- Interrupts with what they have in common still apart; by their ends, so that those within a span are found at once. How long they
-- took is on a counter track for each routine on each CPU; in schema 1 both in one number.
CREATE PERFETTO TABLE _etw_interrupt AS
WITH
  routine AS (
    SELECT id, (uuid - (1 << 38)) >> 17 AS cpu, (uuid - (1 << 38)) & 131071 AS source
    FROM (SELECT id, extract_arg(dimension_arg_set_id, 'track_uuid') AS uuid FROM track)
    WHERE uuid BETWEEN 1 << 38 AND (1 << 38) + (1 << 27) - 1
  ),
  cpu AS (
    SELECT id, CAST(substr(name, length('etw.interrupt ') + 1) AS INT) AS cpu
    FROM track
    WHERE name GLOB 'etw.interrupt *'
  )
SELECT c.ts - CAST(c.value AS INT) AS ts, c.ts AS te, r.cpu, r.source
FROM routine AS r
CROSS JOIN __intrinsic_counter AS c ON c.track_id = r.id
UNION ALL
SELECT
  c.ts - CASE
    WHEN CAST(c.value AS INT) >> 17 < (1 << 36) - 1 THEN CAST(c.value AS INT) >> 17
    ELSE ifnull(
      (SELECT max(m.dur) FROM _etw_interrupt_of_minutes AS m WHERE m.te = c.ts AND m.cpu = t.cpu),
      (1 << 36) - 1
    )
  END,
  c.ts,
  t.cpu,
  CAST(c.value AS INT) & 131071
FROM cpu AS t
CROSS JOIN __intrinsic_counter AS c ON c.track_id = t.id
ORDER BY 2;

-- Those that held a CPU for long; for questions about an instant, which for the others go back a millisecond only.
CREATE PERFETTO TABLE _etw_long_interrupt AS
SELECT ts, te, cpu, source
FROM _etw_interrupt
WHERE te - ts >= 1000000
ORDER BY te;

-- Deferred procedure calls and interrupt service routines: the spans in which a CPU ran neither its thread nor another.
-- An ISR within a DPC has a row of its own: for sums over a CPU use `exclusive_ns`. Rows come in the order of their ends.
--
-- Recorded with the kernel flags `DPC` and `INTERRUPT`, where they end: one that was under way at the end is missing.
CREATE PERFETTO VIEW etw_interrupt(
  -- Timestamp at which it began.
  ts TIMESTAMP,
  -- How long it took in ns, those that interrupted it included.
  dur DURATION,
  -- The CPU.
  cpu LONG,
  -- `dpc`, `threaded_dpc`, `timer_dpc` or `isr`.
  kind STRING,
  -- Address of its routine. Kernel addresses are negative here, as in `etw_stack_frame`.
  routine LONG,
  -- Path of the routine's image (the driver), as Windows names it; null where no image is known.
  module STRING,
  -- Address of the routine less that of its image; null likewise.
  rva LONG,
  -- Interrupt vector of an ISR; null for DPCs and where it was not recorded.
  vector LONG,
  -- What an ISR answered: 0 if the interrupt was not its device's. Null for DPCs.
  return_value LONG,
  -- Number of a message-signalled interrupt; null for others.
  message LONG,
  -- `dur` less the time of interrupts within it, in ns. Takes a look-up a row.
  exclusive_ns DURATION
) AS
SELECT
  i.ts,
  i.te - i.ts AS dur,
  i.cpu,
  s.kind,
  s.routine,
  s.module,
  s.rva,
  s.vector,
  s.return_value,
  s.message,
  i.te - i.ts - (
    -- Those within another of them count with that one.
    SELECT ifnull(sum(n.te - n.ts), 0)
    FROM _etw_interrupt AS n
    WHERE n.cpu = i.cpu AND n.te > i.ts AND n.te < i.te AND n.ts >= i.ts
      AND NOT EXISTS (
        SELECT 1
        FROM _etw_interrupt AS o
        WHERE o.cpu = i.cpu AND o.te > n.te AND o.te < i.te AND o.ts <= n.ts AND o.ts >= i.ts
      )
  ) AS exclusive_ns
FROM _etw_interrupt AS i
LEFT JOIN _etw_interrupt_source AS s ON s.source = i.source;
