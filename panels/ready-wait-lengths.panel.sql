-- @title How long ready waits are
-- @description How often threads were ready for how long before they ran: of the chosen thread or process, else of all.
-- @param rank number = none: Only waits at this rank.
-- @needs ready_waits
-- @draw histogram value=dur count=waits
-- @column dur duration: The lengths, in hundredths of a decade.
-- @column waits count: How many waits are as long.

-- Lengths are rounded in the engine, which has millions of them; the drawing takes hundreds.
SELECT CAST(pow(10, round(100 * log10(max(1, dur))) / 100.0) AS INTEGER) AS dur, count(*) AS waits
FROM etw_ready_wait
WHERE
  te > :range_start AND ts < :range_end AND dur > 0
  AND (:rank IS NULL OR rank = :rank)
  AND (:utid IS NULL OR utid = :utid)
  AND (:utid IS NOT NULL OR :pid IS NULL OR utid IN (SELECT utid FROM etw_thread WHERE pid = :pid))
GROUP BY 1
ORDER BY 1;
