-- Sleep of the whole machine.
INCLUDE PERFETTO MODULE etw.generic_event;

INCLUDE PERFETTO MODULE etw.trace;

-- Signs that the machine goes to sleep or has woken: the kernel's (with its performance counter), or where there are none
-- those of Microsoft-Windows-Kernel-Power.
CREATE PERFETTO TABLE _etw_sleep_sign AS
WITH
  sign AS (
    SELECT
      ts,
      event_id = 0x1230 AS is_start,
      1 AS is_kernel,
      fields ->> '$.PerformanceCounter' AS counter,
      fields ->> '$.PerformanceFrequency' AS hz
    FROM etw_generic_event
    WHERE kind GLOB 'Power/*' AND event_id IN (0x1230, 0x1231)
    UNION ALL
    SELECT ts, event_id = 42 AS is_start, 0 AS is_kernel, NULL AS counter, NULL AS hz
    FROM etw_generic_event
    WHERE kind GLOB 'Microsoft-Windows-Kernel-Power/*' AND event_id IN (42, 107)
  )
SELECT ts, is_start, counter, hz
FROM sign
WHERE is_kernel = (SELECT max(is_kernel) FROM sign)
ORDER BY ts;

-- Spans in which the machine slept (suspend or hibernation). Nothing runs meanwhile, and waits that reach over one say
-- nothing of scheduling.
--
-- All times are those of the recording's clock, which is not corrected: `system_time` goes on while the machine sleeps,
-- `qpc` does or stands still, by machine, and `cpu_cycles` may begin anew. Where it stands still, `dur` is the time that
-- going to sleep and waking took.
--
-- Recorded with the kernel flag `POWER`, or by the provider Microsoft-Windows-Kernel-Power.
CREATE PERFETTO TABLE etw_suspend(
  -- Timestamp at which it was about to sleep.
  ts TIMESTAMP,
  -- Length of the span in ns on the recording's clock, up to the waking or the recording's end.
  dur DURATION,
  -- By how much the performance counter went on, in ns; null where that is not recorded. Much less than `dur` means that
  -- it stood still.
  counter_ns DURATION,
  -- 1 if no waking was recorded.
  open_end LONG
) AS
WITH
  ordered AS (
    SELECT
      ts,
      is_start,
      counter,
      hz,
      lead(is_start) OVER (ORDER BY ts) AS next_is_start,
      lead(ts) OVER (ORDER BY ts) AS next_ts,
      lead(counter) OVER (ORDER BY ts) AS next_counter
    FROM _etw_sleep_sign
  )
SELECT
  o.ts,
  max(0, iif(o.next_is_start = 0, o.next_ts, t.end_ts) - o.ts) AS dur,
  iif(o.next_is_start = 0, CAST((o.next_counter - o.counter) * 1e9 / o.hz AS INT), NULL) AS counter_ns,
  o.next_is_start IS NOT 0 AS open_end
FROM ordered AS o
JOIN etw_trace AS t
-- Of starts without an end between them the last one counts.
WHERE o.is_start AND o.next_is_start IS NOT 1
ORDER BY o.ts;

DROP TABLE _etw_sleep_sign;
