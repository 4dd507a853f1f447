-- @title Driver that waits in a loop
-- @means A driver waited for its device by letting the CPU spin (KeStallExecutionProcessor and its like).
-- @matters Nothing else runs on that CPU meanwhile, and a wait in an interrupt or a DPC cannot be preempted at all. Windows
--   tells drivers to stall for 50 µs at most.
-- @lost The CPU time of the samples in such a stall.
-- @threshold 1 ms: twenty times the 50 µs that KeStallExecutionProcessor's documentation allows a driver
-- @needs sample_intervals
-- @needs kernel_functions
-- @not_said Whether the device needs the time.
-- @decide interrupts: whether it was in a DPC or an interrupt
-- @sentence {image} let a CPU spin for {ran_ns:duration} in {routine}, {samples:count} {samples:sample|samples}.
-- @proof cpu-sampled mode=kernel search=StallExecutionProcessor

WITH
  stall AS (
    SELECT callsite, caller, function
    FROM etw_stack_frame
    WHERE function GLOB '*StallExecutionProcessor*'
  ),
  sample AS (
    SELECT s.ts, s.weight_ns, i.function AS routine, c.module
    FROM etw_sample AS s
    JOIN stall AS i ON i.callsite = s.callsite
    LEFT JOIN etw_stack_frame AS c ON c.callsite = i.caller
  )
SELECT
  MIN(ts) AS ts, MAX(ts) - MIN(ts) AS dur, NULL AS utid, NULL AS upid,
  SUM(weight_ns) / 1e9 AS seconds_lost,
  ifnull(replace(module, rtrim(module, replace(module, '\', '')), ''), 'A driver') AS image,
  routine, SUM(weight_ns) AS ran_ns, COUNT(*) AS samples
FROM sample
GROUP BY module
HAVING SUM(weight_ns) >= :threshold;
