-- For each listed I/O, the other threads that were readied when it ended, and had blocked while it was under way: by a DPC, or
-- by the thread that readied its own. Up to five of each, those that waited longest, and how many there are.
WITH
  io AS (
    SELECT
      key AS row, value ->> 0 AS utid, value ->> 1 AS ts, value ->> 2 AS at_ts, value ->> 3 AS waker_utid
    FROM json_each(:ios)
  ),
  other AS (
    SELECT io.row, w.utid, w.last_switch_out_ts AS ts, w.ts AS ready_ts
    FROM io
    CROSS JOIN etw_ready_wait AS w ON w.ts >= io.at_ts - :near_ns AND w.ts <= io.at_ts + :near_ns
    WHERE
      w.cause = 'wake'
      AND (w.waker_in_dpc AND w.waker_utid IS NULL OR w.waker_utid = io.waker_utid)
      AND w.utid IS NOT io.utid
      AND w.last_switch_out_ts >= io.ts
  ),
  placed AS (
    SELECT
      *,
      COUNT(*) OVER (PARTITION BY row) AS others,
      row_number() OVER (PARTITION BY row ORDER BY ts, utid) AS place
    FROM other
  )
SELECT row, utid, ts, ready_ts, others
FROM placed
WHERE place <= :max_others
ORDER BY row, place;
