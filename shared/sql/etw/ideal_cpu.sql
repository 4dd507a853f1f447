-- Where threads had best run.

-- The ideal processors of threads: where Windows would rather have them run. A row where it was first recorded, and where it had changed;
-- it is recorded as a thread is switched out.
CREATE PERFETTO TABLE etw_thread_ideal_cpu(
  -- Timestamp of the switch-out: the ideal processor changed since the switch-out before, or is told for the first time.
  ts TIMESTAMP,
  -- The thread; null if the recording does not describe it.
  utid LONG,
  -- The low 8 bits of the processor's number within its group.
  ideal_cpu LONG
) AS
SELECT
  c.ts,
  -- The thread whose state changed then: ids are reused.
  (
    SELECT s.utid
    FROM __intrinsic_thread_state AS s
    JOIN thread AS t USING (utid)
    WHERE s.ts = c.ts AND t.tid = c.value & 0xffffffff
  ) AS utid,
  c.value >> 32 AS ideal_cpu
FROM (
  SELECT n.ts, CAST(n.value AS INT) AS value
  FROM track AS k
  CROSS JOIN __intrinsic_counter AS n ON n.track_id = k.id
  WHERE k.name = 'etw.ideal_cpu'
) AS c
ORDER BY c.ts;
