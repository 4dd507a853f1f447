SELECT pid, name, services, ifnull(create_ts, (SELECT start_ts FROM etw_trace)) AS ts
FROM etw_process
WHERE pid IS NOT NULL
ORDER BY name, pid;
