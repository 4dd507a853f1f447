SELECT tid, name, pid, process_name, service, ifnull(create_ts, (SELECT start_ts FROM etw_trace)) AS ts
FROM etw_thread
WHERE tid IS NOT NULL
ORDER BY process_name, pid, tid;
