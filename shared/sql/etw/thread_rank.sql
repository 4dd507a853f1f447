-- Ranks and priorities of threads over time.
INCLUDE PERFETTO MODULE etw.priority;

INCLUDE PERFETTO MODULE etw.process;

INCLUDE PERFETTO MODULE etw.rank_change;

INCLUDE PERFETTO MODULE etw.run;

-- Spans in which a thread kept a rank, of threads that ever had a rank above 0. A thread without rows ran at rank 0
-- whenever its rank was recorded, or has no recorded rank at all.
--
-- Windows records a rank only where a run ends. A span starts at the end of the run that first recorded its rank, and
-- ends where the thread's next span starts. The rank itself changed at some unknown time between `changed_after_ts` and
-- `ts`. Changes there and back between two ends of runs are not seen.
CREATE PERFETTO VIEW etw_thread_rank(
  -- Timestamp at which the rank was first recorded: the end of a run.
  ts TIMESTAMP,
  -- Length of the span in ns; the last one of a thread lasts to the thread's end, or the trace's.
  dur DURATION,
  -- The thread.
  utid LONG,
  -- The rank, 0 being the best.
  rank LONG,
  -- The rank of the thread's span before; null for its first.
  last_rank LONG,
  -- Timestamp at which that was recorded last: the end of the run before. Null for the thread's first span.
  changed_after_ts TIMESTAMP,
  -- Why a span starts here. `first`: no rank of the thread was recorded before. `changed`: another one was.
  reason STRING
) AS
SELECT
  c.ts,
  max(
    0,
    ifnull(lead(c.ts) OVER thread, ifnull(t.exit_ts, (SELECT max(end_ts, trace_end()) FROM etw_trace))) - c.ts
  ) AS dur,
  c.utid,
  c.rank,
  c.last_rank,
  c.last_ts AS changed_after_ts,
  iif(c.last_rank IS NULL, 'first', 'changed') AS reason
FROM _etw_rank_change AS c
LEFT JOIN etw_thread AS t ON t.utid = c.utid
WINDOW thread AS (PARTITION BY c.utid ORDER BY c.ts);

-- Spans in which a thread kept a priority. Bound `utid`: the spans are worked out from all runs of the thread.
--
-- Windows records a priority where a run starts and where it ends, and with some of its changes (`etw_priority_change`).
-- A span starts where its priority was recorded first; where that is a run, the priority itself changed at some time
-- since the record before.
CREATE PERFETTO VIEW etw_thread_priority(
  -- Timestamp at which the priority was first recorded.
  ts TIMESTAMP,
  -- Length of the span in ns; the last one of a thread lasts to the trace's end.
  dur DURATION,
  -- The thread.
  utid LONG,
  -- The priority, 0 to 31, boosts included.
  priority LONG,
  -- Where it was first recorded. `first`: nowhere before. `priority`, `base_priority`, `autoboost_floor`: in such a
  -- change. `starvation_boost`, `autoboost_clear`: at the start or the end of a run, after such a change that does not
  -- tell the priority. `switch_in`: it changed while the thread did not run. `switch_out`: it changed while it ran.
  reason STRING
) AS
SELECT
  ts,
  ifnull(lead(ts) OVER thread, (SELECT max(end_ts, trace_end()) FROM etw_trace)) - ts AS dur,
  utid,
  priority,
  iif(
    last_priority IS NULL,
    'first',
    ifnull(
      (
        SELECT c.kind
        FROM etw_priority_change AS c
        WHERE
          c.utid = recorded.utid
          AND c.kind IN ('starvation_boost', 'autoboost_clear')
          AND c.ts > recorded.last_ts
          AND c.ts < recorded.ts
        ORDER BY c.ts DESC
        LIMIT 1
      ),
      place
    )
  ) AS reason
FROM (
  SELECT
    utid,
    ts,
    priority,
    place,
    lag(priority) OVER thread AS last_priority,
    lag(ts) OVER thread AS last_ts
  FROM (
    SELECT utid, ts, priority, 'switch_in' AS place FROM etw_run
    UNION ALL
    SELECT utid, te, switch_out_priority, 'switch_out'
    FROM etw_run
    WHERE switch_out_priority IS NOT NULL
    UNION ALL
    SELECT utid, ts, switch_out_priority, 'switch_out' FROM _etw_end_before
    UNION ALL
    SELECT utid, ts, priority, kind
    FROM etw_priority_change
    WHERE priority IS NOT NULL
  )
  WINDOW thread AS (PARTITION BY utid ORDER BY ts, place DESC)
) AS recorded
WHERE last_priority IS NULL OR last_priority != priority
WINDOW thread AS (PARTITION BY utid ORDER BY ts);
