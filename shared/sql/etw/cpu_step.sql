-- The steps of time that are summed by.
INCLUDE PERFETTO MODULE etw.trace;

-- The recording in 512 steps of equal length; the last reaches over the end by less than 512 ns.
CREATE PERFETTO TABLE _etw_cpu_step AS
WITH RECURSIVE
  step(number, ts, dur) AS (
    SELECT 0, start_ts, max(1, (end_ts - start_ts + 511) / 512) FROM etw_trace
    UNION ALL
    SELECT number + 1, ts + dur, dur FROM step WHERE number < 511
  )
SELECT number, ts, dur FROM step;
