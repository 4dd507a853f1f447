-- For each listed I/O, the wait of its own thread that ended with it: the last that began after it was issued, and was
-- readied until `near_ns` after its end. A transfer of a disk readies nobody before its end; in an operation on a file or a
-- hard fault the thread goes on until it is done. `+` has waits found by their time: a thread may have a hundred thousand.
WITH
  io AS (
    SELECT key AS row, value ->> 0 AS utid, value ->> 1 AS ts, value ->> 2 AS te
    FROM json_each(:ios)
  ),
  -- Once for each I/O, and not for each wait that it is compared with.
  readied AS MATERIALIZED (
    SELECT
      io.*,
      (
        SELECT w.ts
        FROM etw_ready_wait AS w
        WHERE +w.utid = io.utid AND w.ts >= io.ts AND w.ts <= io.te + :near_ns AND w.cause = 'wake'
        ORDER BY w.ts DESC
        LIMIT 1
      ) AS ready_ts
    FROM io
  )
SELECT
  r.row,
  w.last_switch_out_ts AS ts,
  w.ts AS ready_ts,
  iif(w.ended, w.te, NULL) AS run_ts,
  w.waker_utid,
  w.waker_in_dpc
FROM readied AS r
CROSS JOIN etw_ready_wait AS w ON +w.utid = r.utid AND w.ts = r.ready_ts AND w.cause = 'wake'
WHERE w.last_switch_out_ts >= r.ts AND (:source != 'disk' OR r.ready_ts >= r.te - :near_ns)
ORDER BY r.row;
