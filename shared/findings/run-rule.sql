WITH /* measures */rule AS (/* select */
)
-- The rows of a rule, which stands before line 2 so that lines in errors are lines of its file; with the names of the
-- threads and processes. One more row than is listed shows that there are more.
SELECT
  rule.*,
  t.tid AS tid, t.name AS thread_name, t.service AS thread_service,
  p.pid AS pid, p.name AS process_name, p.services AS process_services
FROM rule
LEFT JOIN etw_thread AS t ON t.utid = rule.utid
LEFT JOIN etw_process AS p ON p.upid = ifnull(rule.upid, t.upid)
ORDER BY rule.seconds_lost DESC, rule.ts
LIMIT :max_rows + 1;
