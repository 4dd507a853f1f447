-- The freezes that are asked for: that reach into the range. `place` 1 is the longest.
CREATE OR REPLACE PERFETTO TABLE _frozen_processes_span AS
WITH
  freeze AS (
    SELECT
      *,
      ts + dur AS te,
      lag(ts + dur) OVER (PARTITION BY pid, upid ORDER BY ts) AS last_te,
      lead(ts) OVER (PARTITION BY pid, upid ORDER BY ts) AS next_ts
    FROM etw_process_freeze
  )
SELECT
  row_number() OVER (ORDER BY f.dur DESC, f.ts, f.pid) AS place,
  f.*,
  ifnull(f.last_te, 0) AS runs_from_ts,
  ifnull(f.next_ts, t.end_ts + 1) AS runs_to_ts,
  p.name AS process,
  f.open_start AND p.create_ts IS NULL AS was_before_trace,
  f.open_end AND p.exit_ts IS NOT NULL AS exited
FROM freeze AS f
JOIN etw_trace AS t
LEFT JOIN etw_process AS p ON p.upid = f.upid
WHERE
  f.ts < :range_end
  AND f.te > :range_start
  AND (:process IS NULL OR instr(lower(p.name), lower(:process)));
