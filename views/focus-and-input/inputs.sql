-- The first input events of the range, and who had the focus then.
WITH
  input AS (
    SELECT * FROM etw_input
    WHERE ts >= :range_start AND ts < :range_end AND (:moves OR kind != 'mouse_move')
  ),
  first AS (SELECT * FROM input ORDER BY ts LIMIT :max_rows)
SELECT
  i.*,
  (SELECT COUNT(*) FROM input) AS input_count,
  (
    SELECT group_concat(DISTINCT p.name)
    FROM etw_focus AS f
    JOIN etw_process AS p ON p.upid = f.upid
    WHERE f.ts <= i.ts AND f.ts + f.dur > i.ts
  ) AS focus
FROM first AS i
ORDER BY i.ts;
