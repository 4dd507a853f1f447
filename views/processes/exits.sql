-- When exits began, and how long they took.
SELECT
  x.upid, x.ts, x.dur, x.begun_by, x.last_thread_ts,
  (SELECT t.tid FROM etw_thread AS t WHERE t.utid = x.utid) AS tid
FROM etw_process_exit AS x;
