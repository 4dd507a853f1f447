-- What ran at an instant, and whether a DPC or an ISR kept it from its CPU. A threaded DPC is a thread's work.
SELECT
  r.cpu, r.utid, r.rank, r.priority,
  EXISTS (
    SELECT 1
    FROM etw_interrupt AS i
    WHERE i.cpu = r.cpu AND i.ts <= :at AND i.ts + i.dur > :at AND i.kind IS NOT 'threaded_dpc'
  ) AS is_interrupted
FROM etw_run AS r
WHERE r.ts <= :at AND r.te > :at;
