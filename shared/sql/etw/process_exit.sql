-- How processes end: from when the exit begins until the process is gone.
INCLUDE PERFETTO MODULE etw.process;

-- When processes began to exit, as the kernel recorded it.
CREATE PERFETTO TABLE _etw_process_terminate AS
SELECT ts, fields ->> '$.ProcessId' AS pid
FROM etw_generic_event
WHERE kind = 'Process/Terminate'
ORDER BY pid, ts;

CREATE PERFETTO INDEX _etw_process_terminate_pid ON _etw_process_terminate(pid);

CREATE PERFETTO TABLE _etw_last_thread AS
-- SQLite takes `utid` from the row of the MAX.
SELECT upid, utid, MAX(exit_ts) AS exit_ts
FROM etw_thread
WHERE exit_ts IS NOT NULL AND upid IS NOT NULL
GROUP BY upid
ORDER BY upid;

CREATE PERFETTO INDEX _etw_last_thread_upid ON _etw_last_thread(upid);

-- Exits of processes: the time from when the exit begins until the process is gone. Windows writes the end of a thread
-- before the thread cleans up, and that of a process when its last thread has cleaned up: memory, handles, windows.
--
-- Exits whose beginning is not known have no row.
CREATE PERFETTO TABLE etw_process_exit(
  -- Timestamp at which the exit begins.
  ts TIMESTAMP,
  -- How long it takes, in ns.
  dur DURATION,
  -- Timestamp at which the process is gone (`ts + dur`): its `exit_ts`.
  te TIMESTAMP,
  -- The process.
  upid LONG,
  -- Its thread that ended last, and cleans up; null if no end of a thread was recorded.
  utid LONG,
  -- Timestamp at which that thread ended.
  last_thread_ts TIMESTAMP,
  -- What tells when the exit begins. `terminate`: the kernel's event for it. `last_thread`: the end of the last thread.
  begun_by STRING
) AS
WITH
  ended AS (
    SELECT
      p.upid, p.exit_ts,
      (
        SELECT MIN(k.ts) FROM _etw_process_terminate AS k
        WHERE k.pid = p.pid AND k.ts >= ifnull(p.create_ts, k.ts) AND k.ts <= p.exit_ts
      ) AS terminate_ts,
      l.utid,
      l.exit_ts AS last_thread_ts
    FROM etw_process AS p
    LEFT JOIN _etw_last_thread AS l ON l.upid = p.upid AND l.exit_ts <= p.exit_ts
    WHERE p.exit_ts IS NOT NULL
  )
SELECT
  ifnull(terminate_ts, last_thread_ts) AS ts,
  exit_ts - ifnull(terminate_ts, last_thread_ts) AS dur,
  exit_ts AS te,
  upid,
  utid,
  last_thread_ts,
  iif(terminate_ts IS NULL, 'last_thread', 'terminate') AS begun_by
FROM ended
WHERE ifnull(terminate_ts, last_thread_ts) IS NOT NULL
ORDER BY ts;

DROP TABLE _etw_last_thread;

DROP TABLE _etw_process_terminate;

CREATE PERFETTO INDEX _etw_process_exit_upid ON etw_process_exit(upid);
