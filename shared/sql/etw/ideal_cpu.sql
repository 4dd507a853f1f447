-- Where threads had best run.
INCLUDE PERFETTO MODULE etw.words;

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
    WHERE s.ts = c.ts AND t.tid = c.tid
  ) AS utid,
  c.ideal_cpu
FROM (
  SELECT ts, CAST(_etw_word(name, 'tid') AS INT) AS tid, CAST(_etw_word(name, 'ideal_cpu') AS INT) AS ideal_cpu
  FROM slice
  WHERE track_id IN (SELECT id FROM track WHERE name = 'etw.ideal_cpu')
  UNION ALL
  -- In schema 1 both are one number.
  SELECT ts, CAST(value AS INT) & 0xffffffff, CAST(value AS INT) >> 32
  FROM __intrinsic_counter
  WHERE track_id IN (SELECT id FROM track WHERE name = 'etw.ideal_cpu')
) AS c
ORDER BY c.ts;
