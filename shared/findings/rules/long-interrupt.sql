-- @title Long interrupt
-- @means An interrupt service routine or a deferred procedure call held a CPU for long.
-- @matters No thread runs on that CPU meanwhile, whatever its rank and priority, and nothing can take the CPU away. Sound and
--   input stutter first. The routine belongs to the driver that is named.
-- @lost How long the routine held a CPU in such calls.
-- @threshold 1 ms: Windows tells drivers to stay below 100 µs in a DPC and 25 µs in an ISR; this is ten times that
-- @needs interrupts
-- @not_said What the device wanted.
-- @decide symbols: which function of the driver ran
-- @sentence {what} of {image}[+0x{offset}] held CPU {cpu} for {dur:duration}[; with {more:count} more above the bound,
--   {lost_ns:duration} in all].
-- @proof cpu-usage by=thread

-- SQLite takes the other columns from the row of the MAX: the routine's longest call.
SELECT
  ts, MAX(dur) AS dur, NULL AS utid, NULL AS upid,
  SUM(dur) / 1e9 AS seconds_lost,
  SUM(dur) AS lost_ns,
  nullif(COUNT(*) - 1, 0) AS more,
  cpu,
  CASE kind
    WHEN 'isr' THEN 'An ISR'
    WHEN 'timer_dpc' THEN 'A timer DPC'
    ELSE 'A DPC'
  END AS what,
  ifnull(replace(module, rtrim(module, replace(module, '\', '')), ''), 'an unknown driver') AS image,
  iif(rva IS NULL, NULL, printf('%x', rva)) AS offset
FROM etw_interrupt
-- A threaded DPC is a thread's work: it can be preempted.
WHERE dur >= :threshold AND kind != 'threaded_dpc'
GROUP BY kind, routine;
