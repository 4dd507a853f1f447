-- Changes of threads' priorities that Windows reports as such, and the shares that ranks come from.
INCLUDE PERFETTO MODULE etw.generic_event;

INCLUDE PERFETTO MODULE etw.process;

-- Number of a priority of disk requests, which generic events have by name.
CREATE PERFETTO MACRO _etw_io_priority(
  -- The name.
  name Expr
)
RETURNS Expr AS
(
  CASE $name
    WHEN 'VeryLow' THEN 0
    WHEN 'Low' THEN 1
    WHEN 'Normal' THEN 2
    WHEN 'High' THEN 3
    WHEN 'Critical' THEN 4
    ELSE $name
  END
);

-- Changes of a thread's priorities, and boosts, as Windows reports them. Changes that come with a wake, and the decay of
-- boosts, it does not report: `etw_thread_priority` has what priorities were seen.
--
-- Recorded with the kernel flags `PRIORITY`, `AUTOBOOST` and `ANTI_STARVATION`.
CREATE PERFETTO TABLE etw_priority_change(
  -- Timestamp of the change.
  ts TIMESTAMP,
  -- The thread whose priority it is; null if the recording does not describe it.
  utid LONG,
  -- `priority`: the one that the thread is scheduled by. `base_priority`, `io_priority` (of its disk requests, 0 to 4),
  -- `page_priority` (of its memory pages, 0 to 7). `autoboost_floor`: the thread owns a lock that a better one waits
  -- for, and its priority does not fall below `new`; `autoboost_clear`: that ends; `autoboost_exhausted`: it was not
  -- given, as too many locks are remembered for the thread already. `starvation_boost`: it was ready for seconds.
  kind STRING,
  -- The value before; null where it is not recorded.
  old LONG,
  -- The value from now on; null where it is not recorded, as for `starvation_boost`.
  new LONG,
  -- Priority that the thread is scheduled by from now on; null where it is not recorded.
  priority LONG,
  -- Address of the lock, for the kinds of AutoBoost: hexadecimal.
  lock STRING,
  -- The thread that did it; null where that is not known. In a DPC it is only the one that was interrupted.
  by_utid LONG
) AS
WITH
  change AS (
    SELECT
      ts,
      utid AS by_utid,
      event_id,
      fields ->> '$.ThreadId' AS tid,
      fields ->> '$.OldPriority' AS old,
      fields ->> '$.NewPriority' AS new,
      fields
    FROM etw_generic_event
    WHERE
      kind GLOB 'Thread/*'
      AND event_id IN (0x0530, 0x0531, 0x0533, 0x0534, 0x053C, 0x0542, 0x0543, 0x0544)
  )
SELECT
  ts,
  _etw_utid_at!(c.tid, c.ts) AS utid,
  CASE event_id
    WHEN 0x0530 THEN 'priority'
    WHEN 0x0531 THEN 'base_priority'
    WHEN 0x0533 THEN 'page_priority'
    WHEN 0x0534 THEN 'io_priority'
    WHEN 0x053C THEN 'starvation_boost'
    WHEN 0x0542 THEN 'autoboost_floor'
    WHEN 0x0543 THEN 'autoboost_clear'
    WHEN 0x0544 THEN 'autoboost_exhausted'
  END AS kind,
  CASE event_id
    WHEN 0x0534 THEN _etw_io_priority!(old)
    WHEN 0x0542 THEN fields ->> '$.OldCpuPriority'
    ELSE old
  END AS old,
  CASE event_id
    WHEN 0x0534 THEN _etw_io_priority!(new)
    WHEN 0x0542 THEN fields ->> '$.NewCpuPriorityFloor'
    ELSE new
  END AS new,
  CASE event_id
    WHEN 0x0530 THEN new
    WHEN 0x0531 THEN fields ->> '$.DynamicPriority'
    WHEN 0x0542 THEN max(fields ->> '$.OldCpuPriority', fields ->> '$.NewCpuPriorityFloor')
  END AS priority,
  fields ->> '$.Lock' AS lock,
  by_utid
FROM change AS c
WHERE tid IS NOT NULL
ORDER BY ts;

CREATE PERFETTO INDEX _etw_priority_change_utid ON etw_priority_change(utid);

-- What the fair share scheduler (DFSS) reckons for each session when it begins an interval: by it the threads of sessions
-- that used more than their share get ranks above 0.
--
-- Recorded with the kernel flag `DFSS`.
CREATE PERFETTO TABLE etw_dfss_session(
  -- Timestamp at which the interval begins.
  ts TIMESTAMP,
  -- Number of the interval.
  generation LONG,
  -- Terminal session, as in `etw_process`.
  session LONG,
  -- Its weight: its share is the weight in the sum of all.
  weight LONG,
  -- Cycles that it used in the interval before.
  used_cycles LONG,
  -- Cycles that all sessions may use in this interval.
  credit_cycles LONG
) AS
SELECT
  e.ts,
  e.fields ->> '$.Generation' AS generation,
  s.value ->> '$.SessionId' AS session,
  s.value ->> '$.CpuShareWeight' AS weight,
  s.value ->> '$.CyclesAccumulated' AS used_cycles,
  e.fields ->> '$.TotalCycleCredit' AS credit_cycles
FROM etw_generic_event AS e, json_each(e.fields, '$.Sessions') AS s
WHERE e.kind GLOB 'Thread/*' AND e.event_id = 0x053A
ORDER BY e.ts, session;
