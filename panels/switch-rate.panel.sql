-- @title Context switches a second by process
-- @description How often threads of each process were switched in, over time: a process that does little and switches much shows
--   here long before it shows in CPU time.
-- @needs switches
-- @draw lines x=bucket_ts y=a_second series=process
-- @column bucket_ts time: When the bucket of time starts.
-- @column a_second number: Switch-ins / length of the bucket in seconds.

SELECT
  r.ts - r.ts % :bucket_ns AS bucket_ts,
  ifnull(t.process_name, 'unknown process') AS process,
  count(*) * 1e9 / :bucket_ns AS a_second
FROM etw_run AS r
JOIN etw_thread AS t USING (utid)
WHERE r.ts >= :range_start AND r.ts < :range_end AND r.utid != 0
GROUP BY bucket_ts, process
ORDER BY bucket_ts, process;
