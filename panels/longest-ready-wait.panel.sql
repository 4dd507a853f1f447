-- @title Longest ready wait
-- @description The longest time that a thread was ready and did not run, within the range in view; of the chosen thread, if one
--   is chosen.
-- @param priority_min number = 8: Waits at a lower priority are left out.
-- @needs ready_waits
-- @draw number value=dur warn=100ms bad=1s
-- @click view ready-latency wait_ts={ts} wait_tid={tid}

SELECT w.dur, w.ts, t.tid, t.process_name, w.priority, w.rank
FROM etw_ready_wait AS w
JOIN etw_thread AS t USING (utid)
WHERE
  w.te > :range_start AND w.ts < :range_end AND w.priority >= :priority_min
  AND (:utid IS NULL OR w.utid = :utid)
ORDER BY w.dur DESC
LIMIT 1;
