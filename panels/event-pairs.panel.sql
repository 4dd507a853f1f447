-- @title Latency between two events
-- @description How long it took from one event to the next one that answers it, on the same thread. Without names: from each
--   start (opcode 1) to the stop (opcode 2) of the same provider and task.
-- @param provider text = none: Part of the provider's name.
-- @param start text = none: Name of the event that begins; leave it empty for all with opcode 1.
-- @param stop text = none: Name of the event that ends; leave it empty for all with opcode 2.
-- @param at_least number us = 0: Shorter ones are left out.
-- @needs generic_events
-- @draw scatter x=ts y=dur series=name
-- @column dur duration: From the first event to the second.
-- @column name text: Name of the first.
-- @click thread

WITH edge AS (
  SELECT
    ts, utid, provider, name, fields,
    iif(:start IS NULL, opcode = 1, name = :start) AS starts,
    -- Where both names are given, the provider's task says nothing of what belongs together.
    iif(:start IS NULL AND :stop IS NULL, task, 0) AS topic
  FROM etw_generic_event
  WHERE
    (:provider IS NULL OR instr(provider, :provider))
    AND (iif(:start IS NULL, opcode = 1, name = :start) OR iif(:stop IS NULL, opcode = 2, name = :stop))
),
pair AS (
  SELECT
    ts, utid, provider, name, fields, starts,
    lead(ts) OVER follower AS stop_ts,
    lead(starts) OVER follower AS next_starts
  FROM edge
  WINDOW follower AS (PARTITION BY utid, provider, topic ORDER BY ts)
)
SELECT ts, stop_ts - ts AS dur, name, provider, utid, fields
FROM pair
WHERE
  starts AND next_starts = 0 AND stop_ts - ts >= :at_least
  AND ts < :range_end AND stop_ts > :range_start
ORDER BY ts;
