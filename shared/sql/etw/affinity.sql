-- Where threads may run, and where they are moved to.
INCLUDE PERFETTO MODULE etw.generic_event;

INCLUDE PERFETTO MODULE etw.process;

INCLUDE PERFETTO MODULE etw.trace;

-- The number of 16 hexadecimal digits. In halves: `unhex` takes no number whose bit 63 is set.
CREATE PERFETTO MACRO _etw_mask(
  -- The digits.
  digits Expr
)
RETURNS Expr AS
(
  unhex(substr($digits, 1, 8)) << 32 | unhex(substr($digits, 9))
);

-- The CPUs, and where they are in the groups of up to 64 into which Windows puts them. Affinities and ideal processors are
-- of one group.
CREATE PERFETTO TABLE etw_cpu(
  -- The CPU, as all other tables number it.
  cpu LONG,
  -- Its processor group; null where there are several, and it was not recorded which one.
  cpu_group LONG,
  -- Its number within the group, from 0; null likewise.
  number LONG,
  -- When it is not known for the first time what it ran after a switch; null where that is always known.
  unknown_ts TIMESTAMP
) AS
WITH RECURSIVE
  cpu(number) AS (
    SELECT 0 FROM etw_trace WHERE cpu_count > 0
    UNION ALL
    SELECT number + 1 FROM cpu WHERE number + 1 < (SELECT cpu_count FROM etw_trace)
  ),
  told AS MATERIALIZED (
    SELECT p.key AS cpu, p.value ->> '$.Group' AS cpu_group, p.value ->> '$.Number' AS number
    FROM json_each(
      (
        SELECT fields ->> '$.Processors'
        FROM etw_generic_event
        WHERE kind = 'SysConfig/ProcessorNumber'
        -- The one at the end has CPUs too that came meanwhile.
        ORDER BY ts DESC
        LIMIT 1
      )
    ) AS p
  ),
  unknown AS MATERIALIZED (
    SELECT extract_arg(arg_set_id, 'debug.cpu') AS cpu, MIN(ts) AS ts
    FROM slice
    WHERE name = 'etw.run_unknown'
    GROUP BY 1
  )
SELECT
  c.number AS cpu,
  iif(t.cpu IS NOT NULL, t.cpu_group, iif(r.cpu_count <= 64, 0, NULL)) AS cpu_group,
  iif(t.cpu IS NOT NULL, t.number, iif(r.cpu_count <= 64, c.number, NULL)) AS number,
  u.ts AS unknown_ts
FROM etw_trace AS r
CROSS JOIN cpu AS c
LEFT JOIN told AS t ON t.cpu = c.number
LEFT JOIN unknown AS u ON u.cpu = c.number
ORDER BY cpu;

-- Affinities that threads get within the recording.
CREATE PERFETTO TABLE _etw_affinity_change AS
SELECT
  e.ts,
  _etw_utid_at!(e.fields ->> '$.ThreadId', e.ts) AS utid,
  e.fields ->> '$.Group' AS cpu_group,
  _etw_mask!(substr('0000000000000000' || substr(e.fields ->> '$.Affinity', 3), -16)) AS mask,
  e.utid AS by_utid
FROM etw_generic_event AS e
WHERE e.kind GLOB 'Thread/*' AND e.event_id = 0x0535 AND e.fields ->> '$.ThreadId' IS NOT NULL
ORDER BY e.ts;

CREATE PERFETTO INDEX _etw_affinity_change_utid ON _etw_affinity_change(utid);

-- Spans in which a thread could run on certain CPUs only. Times without a record have no row.
--
-- Known from thread starts and rundowns (since Windows 7), and from changes, recorded with the kernel flag `AFFINITY`.
CREATE PERFETTO TABLE etw_thread_affinity(
  -- Timestamp at which the span starts; the thread's start or the recording's where it was so from then on.
  ts TIMESTAMP,
  -- Length of the span in ns, up to the next change, the thread's end or the recording's.
  dur DURATION,
  -- The thread; null if the recording does not describe it.
  utid LONG,
  -- Processor group of the CPUs; null where it was not recorded, as in thread starts and rundowns.
  cpu_group LONG,
  -- The group's CPUs, as bits: bit 0 is its first CPU. Negative if bit 63 is set: `printf('%x', mask)`.
  mask LONG,
  -- The same CPUs as all other tables number them, as a JSON list; null where these are all CPUs of the machine, where none of them
  -- is known, or where there are several groups and it was not recorded which one the mask is of.
  cpus STRING,
  -- The thread that set it; null for the first span of a thread.
  by_utid LONG
) AS
WITH
  first_seen AS (
    SELECT
      t.utid,
      ifnull(t.create_ts, r.start_ts) AS ts,
      ifnull(
        extract_arg(s.arg_set_id, 'debug.affinity'),
        -- What it was at the end it was all the time if it did not change.
        iif(
          EXISTS (SELECT 1 FROM _etw_affinity_change AS c WHERE c.utid = t.utid),
          NULL,
          extract_arg(s.arg_set_id, 'debug.end_affinity')
        )
      ) AS mask
    FROM slice AS s
    JOIN thread_track AS k ON k.id = s.track_id
    JOIN etw_thread AS t ON t.utid = k.utid
    JOIN etw_trace AS r
    WHERE s.name = 'etw.thread'
  ),
  start AS (
    SELECT ts, utid, NULL AS cpu_group, mask, NULL AS by_utid FROM first_seen WHERE mask IS NOT NULL
    UNION ALL
    SELECT ts, utid, cpu_group, mask, by_utid FROM _etw_affinity_change
  ),
  whole AS MATERIALIZED (
    SELECT cpu_group, SUM(1 << number) AS mask, COUNT(*) = (SELECT COUNT(*) FROM etw_cpu) AS is_only
    FROM etw_cpu
    WHERE cpu_group IS NOT NULL
    GROUP BY cpu_group
  ),
  meant AS MATERIALIZED (
    SELECT DISTINCT s.cpu_group, s.mask, g.cpu_group AS of_group, g.is_only AND s.mask & g.mask = g.mask AS is_all
    FROM start AS s
    JOIN whole AS g ON g.is_only OR g.cpu_group = s.cpu_group
  ),
  numbered AS MATERIALIZED (
    SELECT
      m.cpu_group,
      m.mask,
      (
        SELECT json_group_array(c.cpu ORDER BY c.cpu)
        FROM etw_cpu AS c
        WHERE c.cpu_group = m.of_group AND m.mask >> c.number & 1
      ) AS cpus
    FROM meant AS m
    WHERE NOT m.is_all
  )
SELECT
  s.ts,
  max(0, coalesce(lead(s.ts) OVER (PARTITION BY s.utid ORDER BY s.ts), t.exit_ts, r.end_ts) - s.ts) AS dur,
  s.utid,
  s.cpu_group,
  s.mask,
  nullif(n.cpus, '[]') AS cpus,
  s.by_utid
FROM start AS s
JOIN etw_trace AS r
LEFT JOIN numbered AS n ON n.cpu_group IS s.cpu_group AND n.mask = s.mask
LEFT JOIN etw_thread AS t ON t.utid = s.utid
ORDER BY s.ts;

DROP TABLE _etw_affinity_change;

-- Threads that Windows moved from one CPU to another, with their ideal processors where these changed too. A thread that
-- merely ran elsewhere than before has no row.
CREATE PERFETTO TABLE etw_thread_migration(
  -- Timestamp of the move.
  ts TIMESTAMP,
  -- The thread; null if the recording does not describe it.
  utid LONG,
  -- The CPU that it left.
  from_cpu LONG,
  -- The CPU that it went to.
  to_cpu LONG,
  -- Its priority.
  priority LONG,
  -- Its ideal processor before, if that was changed; null if it was not.
  old_ideal_cpu LONG,
  -- The thread that was running where it was moved.
  by_utid LONG
) AS
SELECT
  e.ts,
  _etw_utid_at!(e.fields ->> '$.ThreadId', e.ts) AS utid,
  e.fields ->> '$.SourceProcessor' AS from_cpu,
  e.fields ->> '$.TargetProcessor' AS to_cpu,
  e.fields ->> '$.Priority' AS priority,
  iif(e.fields ->> '$.IdealProcessorAdjusted', e.fields ->> '$.OldIdealProcessor', NULL) AS old_ideal_cpu,
  e.utid AS by_utid
FROM etw_generic_event AS e
WHERE e.kind GLOB 'Thread/*' AND e.event_id = 0x053D
ORDER BY e.ts;
