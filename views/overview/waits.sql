-- The longest ready waits, and what decides why each was late.
WITH
  longest AS (
    SELECT ts, dur, te, ended, utid, rank, priority, cpu, flags, last_ready_ts
    FROM etw_ready_wait
    WHERE ts <= :range_end AND ts + dur >= :range_start
    ORDER BY dur DESC
    LIMIT :max_rows
  )
SELECT
  p.ts, p.dur, p.te, p.ended, p.utid, p.rank, p.priority, p.cpu, p.flags, p.last_ready_ts,
  -- Nothing tells until when.
  p.flags & 6 > 0 AND p.last_ready_ts IS NULL AS swapped_out,
  EXISTS (SELECT 1 FROM etw_run AS i WHERE i.te = p.te AND +i.cpu = p.cpu AND +i.utid = 0) AS took_idle_cpu,
  t.tid, t.name AS thread, t.pid, t.process_name AS process
FROM longest AS p
LEFT JOIN etw_thread AS t ON t.utid = p.utid
ORDER BY p.dur DESC, p.ts;
