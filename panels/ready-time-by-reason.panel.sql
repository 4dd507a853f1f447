-- @title Ready time by reason
-- @description Why ready threads of each process did not run: the ready time by the main reason of each wait, in the range in view. The
--   first time takes some seconds where there are millions of waits.
-- @param top number = 30: How many rows are shown.
-- @param process text = none: Part of the process's name.
-- @param at_least number us = 0: Shorter waits are left out.
-- @needs ready_waits
-- @draw bars name=reason value=ready_ns
-- @column ready_ns duration: How long threads of the process were ready for this reason, in all.
-- @column waits count: How many waits have this main reason.
-- @column longest_ns duration: The longest of these waits.
-- @click thread

SELECT
  t.process_name || ': ' || replace(w.main_reason, '_', ' ') AS reason,
  sum(w.dur) AS ready_ns,
  count(*) AS waits,
  max(w.dur) AS longest_ns,
  w.utid,
  w.ts
FROM etw_ready_wait_reason AS w
JOIN etw_thread AS t USING (utid)
WHERE
  w.te > :range_start AND w.ts < :range_end AND w.dur >= :at_least
  AND (:process IS NULL OR instr(t.process_name, :process))
GROUP BY t.process_name, w.main_reason
ORDER BY ready_ns DESC
LIMIT :top;
