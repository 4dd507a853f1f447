-- Stretches of time for which somebody may have waited, each with a thread, but for those that scheduling alone tells.
WITH
  first_thread AS (SELECT upid, MIN(utid) AS utid FROM etw_thread GROUP BY upid),
  activity AS (
    SELECT
      utid, ts, opcode,
      LEAD(ts) OVER same AS next_ts,
      LEAD(opcode) OVER same AS next_opcode
    FROM etw_generic_event
    WHERE opcode IN (1, 2) AND activity_id IS NOT NULL
    WINDOW same AS (PARTITION BY provider, task, activity_id ORDER BY ts)
  ),
  -- From the end of each run of threads of processes that ever had the focus to their next run.
  pause AS (
    SELECT
      utid,
      upid,
      te AS ts,
      LEAD(ts) OVER (PARTITION BY utid ORDER BY te) AS te,
      switch_out_state AS state,
      switch_out_wait_reason AS reason
    FROM etw_run
    JOIN etw_thread USING (utid)
    WHERE upid IN (SELECT upid FROM etw_focus)
  ),
  pause_in_focus AS (
    SELECT
      p.utid,
      p.state,
      p.reason,
      MAX(p.ts, f.ts) AS ts,
      MIN(IFNULL(p.te, f.ts + f.dur), f.ts + f.dur) AS te
    FROM pause AS p
    JOIN etw_focus AS f USING (upid)
  )
SELECT 'process_life' AS kind, t.utid, p.create_ts AS ts, p.exit_ts AS te
FROM etw_process AS p
JOIN first_thread AS t USING (upid)
WHERE p.create_ts IS NOT NULL AND p.exit_ts IS NOT NULL
UNION ALL
SELECT 'process_to_image', t.utid, p.create_ts, MIN(i.load_ts)
FROM etw_process AS p
JOIN first_thread AS t USING (upid)
JOIN etw_image AS i USING (upid)
WHERE p.create_ts IS NOT NULL AND i.load_ts IS NOT NULL
GROUP BY p.upid
UNION ALL
SELECT 'process_to_focus', t.utid, p.create_ts, MIN(f.ts)
FROM etw_process AS p
JOIN first_thread AS t USING (upid)
JOIN etw_focus AS f ON f.upid = p.upid AND f.ts >= p.create_ts AND f.open_start = 0
WHERE p.create_ts IS NOT NULL
GROUP BY p.upid
UNION ALL
SELECT 'freeze', t.utid, f.ts, f.ts + f.dur
FROM etw_process_freeze AS f
JOIN first_thread AS t USING (upid)
WHERE f.open_start = 0 AND f.open_end = 0
UNION ALL
SELECT 'activity', utid, ts, next_ts
FROM activity
WHERE opcode = 1 AND next_opcode = 2 AND utid IS NOT NULL
UNION ALL
SELECT 'focus_block', utid, ts, te
FROM pause_in_focus
WHERE
  te - ts >= 200000000
  AND state = 'Waiting'
  AND reason NOT IN ('WrUserRequest', 'WrQueue', 'WrLpcReceive')
  AND utid IN (SELECT utid FROM pause WHERE state = 'Waiting' AND reason = 'WrUserRequest');
