-- How long each thread was blocked in the range in view, as far as a wake ended it.
SELECT
  t.process_name AS process, t.tid, t.name AS thread, COUNT(*) AS waits,
  SUM(MIN(w.ts, :range_end) - MAX(w.last_switch_out_ts, :range_start)) AS blocked_ns,
  MAX(w.ts - w.last_switch_out_ts) AS longest_ns
FROM etw_ready_wait AS w
JOIN etw_thread AS t USING (utid)
LEFT JOIN etw_run AS r ON r.te = w.last_switch_out_ts AND r.utid = w.utid -- if work = left out
WHERE w.cause = 'wake' AND w.ts > :range_start AND w.last_switch_out_ts < :range_end
  AND ifnull(r.switch_out_wait_reason, '') NOT IN ('WrQueue', 'WrLpcReceive') -- if work = left out
  AND matches(:process, t.process_name, id(t.pid))
  AND matches(:thread, t.name, id(t.tid))
GROUP BY w.utid
ORDER BY blocked_ns DESC
LIMIT :limit;
