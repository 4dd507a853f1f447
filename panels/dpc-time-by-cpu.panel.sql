-- @title DPC and ISR time by CPU
-- @description Which CPUs lose their time to drivers, and when: the share of each bucket of time that a CPU spent in deferred
--   procedure calls and interrupt service routines.
-- @param kind choice any|dpc|isr = any: Deferred procedure calls, interrupt service routines, or both.
-- @param image text = none: Part of the driver's path, in small letters.
-- @needs interrupts
-- @draw heatmap x=bucket_ts y=cpu value=time_share
-- @column bucket_ts time: When the bucket of time starts.
-- @column time_share share: Time in DPCs and ISRs / length of the bucket.
-- @column longest_ns duration: The longest of them.

SELECT
  ts - ts % :bucket_ns AS bucket_ts,
  'CPU ' || cpu AS cpu,
  min(1.0, sum(exclusive_ns) * 1.0 / :bucket_ns) AS time_share,
  max(dur) AS longest_ns,
  count(*) AS calls
FROM etw_interrupt
WHERE
  ts >= :range_start AND ts < :range_end AND kind != 'threaded_dpc'
  AND (:kind = 'any' OR (:kind = 'isr') = (kind = 'isr'))
  AND (:image IS NULL OR instr(lower(module), :image))
GROUP BY bucket_ts, etw_interrupt.cpu
ORDER BY etw_interrupt.cpu, bucket_ts;
