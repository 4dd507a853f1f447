-- The samples of threads other than the idle thread, in the order of time, as columns of bytes: a row has 65,536 samples at most.
-- In `place` the upper half is the callsite, the lower the thread. In `kind` the upper half is the weight in units of 100 ns, 0
-- where none is known; the lower has the rank or 255, the priority and bit 13 or 0, and whether it was in a DPC, in an ISR, in
-- kernel code (bits 14 to 16).
SELECT
  (
    SELECT RepeatedField(CAST(s.ts AS REAL))
    FROM etw_sample AS s
    WHERE s.id >= part.id AND s.id < part.id + 65536 AND s.utid != 0
  ) AS ts,
  (
    SELECT RepeatedField(s.callsite << 32 | s.utid)
    FROM etw_sample AS s
    WHERE s.id >= part.id AND s.id < part.id + 65536 AND s.utid != 0
  ) AS place,
  (
    SELECT
      RepeatedField(
        ifnull(s.weight_ns, 0) / 100 << 32
        | (s.is_kernel << 16)
        | (s.in_isr << 15)
        | (s.in_dpc << 14)
        | ifnull(s.priority << 8 | 0x2000, 0)
        | ifnull(s.rank, 255)
      )
    FROM etw_sample AS s
    WHERE s.id >= part.id AND s.id < part.id + 65536 AND s.utid != 0
  ) AS kind
FROM etw_sample AS part
WHERE part.id & 65535 = 0
ORDER BY part.id;
