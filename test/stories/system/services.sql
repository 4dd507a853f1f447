-- Services; one whose state or host changed is there as it was last.
SELECT s.name, s.display_name, s.state, s.pid, MAX(s.ts) AS ts, p.name AS process
FROM etw_service AS s
LEFT JOIN etw_process AS p ON
  p.pid = s.pid
  AND ifnull(p.create_ts, 0) <= s.ts
  AND (p.exit_ts IS NULL OR p.exit_ts >= s.ts)
WHERE :stopped OR s.pid IS NOT NULL
GROUP BY s.name
ORDER BY s.pid IS NULL, s.name;
