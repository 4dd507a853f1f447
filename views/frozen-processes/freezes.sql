-- The longest freezes: who caused each, what became of the process's threads meanwhile, and how they went on.
WITH
  span AS (SELECT * FROM _frozen_processes_span WHERE place <= :max_rows),
  -- Runs are looked for from the thaw before to the next freeze, so that each is looked at once: from what ran then on.
  ran AS (
    SELECT s.place, SUM(min(r.te, s.te) - max(r.ts, s.ts)) AS ran_ns
    FROM span AS s
    JOIN etw_thread AS t ON t.upid = s.upid
    CROSS JOIN etw_run AS r ON r.utid = t.utid
    WHERE
      r.ts >= ifnull(
        (SELECT MAX(o.ts) FROM etw_run AS o WHERE o.utid = t.utid AND o.ts <= s.runs_from_ts),
        s.runs_from_ts
      )
      AND r.ts < s.te
      AND r.te > s.ts
    GROUP BY s.place
  ),
  readied AS (
    SELECT s.place, COUNT(DISTINCT w.utid) AS threads, MIN(w.ts) AS ts, w.utid, w.waker_utid
    FROM span AS s
    JOIN etw_thread AS t ON t.upid = s.upid
    CROSS JOIN etw_ready_wait AS w ON w.utid = t.utid
    WHERE w.cause = 'wake' AND w.ts >= s.ts AND w.ts < s.te
    GROUP BY s.place
  ),
  first_run AS (
    SELECT s.place, MIN(r.ts) AS ts, r.utid
    FROM span AS s
    JOIN etw_thread AS t ON t.upid = s.upid
    CROSS JOIN etw_run AS r ON r.utid = t.utid
    WHERE NOT s.open_end AND r.ts >= s.te AND r.ts < s.runs_to_ts
    GROUP BY s.place
  )
SELECT
  s.ts, s.dur, s.upid, s.pid, s.process, s.open_start, s.open_end, s.was_before_trace, s.exited,
  (SELECT COUNT(*) FROM _frozen_processes_span) AS freeze_count,
  b.tid AS by_tid, b.name AS by_thread, b.pid AS by_pid, b.process_name AS by_process,
  ran.ran_ns,
  readied.threads AS readied_threads, readied.ts AS readied_ts,
  w.tid AS readied_tid, w.name AS readied_thread, w.pid AS readied_pid, w.process_name AS readied_process,
  k.tid AS waker_tid, k.name AS waker_thread, k.pid AS waker_pid, k.process_name AS waker_process,
  first_run.ts AS run_ts,
  r.tid AS run_tid, r.name AS run_thread, r.pid AS run_pid, r.process_name AS run_process
FROM span AS s
LEFT JOIN etw_thread AS b ON b.utid = s.frozen_by_utid
LEFT JOIN ran ON ran.place = s.place
LEFT JOIN readied ON readied.place = s.place
LEFT JOIN etw_thread AS w ON w.utid = readied.utid
LEFT JOIN etw_thread AS k ON k.utid = readied.waker_utid
LEFT JOIN first_run ON first_run.place = s.place
LEFT JOIN etw_thread AS r ON r.utid = first_run.utid
ORDER BY s.ts, s.pid;
