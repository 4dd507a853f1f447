-- @title Who switches with whom
-- @description Which threads made which ready, and how long the second of a pair then waited for a CPU: the wakes behind a
--   storm of context switches.
-- @param top number = 30: How many pairs are shown.
-- @param process text = none: Part of the name of either process.
-- @needs ready_threads
-- @draw bars name=pair value=wakes
-- @column wakes count: How often the first made the second ready.
-- @column ready_ns duration: How long the second then was ready, in all.
-- @column longest_ns duration: The longest of these waits.
-- @click thread

WITH
  pair AS (
    SELECT
      w.waker_utid,
      count(*) AS wakes,
      sum(w.dur) AS ready_ns,
      max(w.dur) AS longest_ns,
      w.utid,
      w.ts
    FROM etw_ready_wait AS w
    JOIN etw_thread AS waker ON waker.utid = w.waker_utid
    JOIN etw_thread AS woken ON woken.utid = w.utid
    WHERE
      w.ts >= :range_start AND w.ts < :range_end
      AND (:process IS NULL OR instr(waker.process_name, :process) OR instr(woken.process_name, :process))
    GROUP BY w.waker_utid, w.utid
    ORDER BY wakes DESC
    LIMIT :top
  )
SELECT
  etw_thread_label(waker_utid) || ' → ' || etw_thread_label(utid) AS pair,
  wakes, ready_ns, longest_ns, utid, ts
FROM pair
ORDER BY wakes DESC;
