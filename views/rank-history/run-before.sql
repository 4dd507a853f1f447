-- The ranks that were recorded at the ends of runs which had begun before the recording, of the threads that ran. A thread's last
-- run ends after the thread's exit was told.
SELECT *
FROM (
  SELECT
    s.ts,
    (
      SELECT t.utid
      FROM etw_thread AS t
      WHERE
        t.tid = extract_arg(s.arg_set_id, 'debug.tid')
        AND ifnull(t.create_ts, s.ts) <= s.ts
      ORDER BY t.create_ts DESC
      LIMIT 1
    ) AS utid,
    nullif(extract_arg(s.arg_set_id, 'debug.sample') & 255, 255) AS rank
  FROM slice AS s
  WHERE s.name = 'etw.run_before'
)
WHERE utid IS NOT NULL AND rank IS NOT NULL
ORDER BY ts;
