-- A thread by its key in this load, as the keys that stay the same.
SELECT tid, pid, ifnull(create_ts, (SELECT start_ts FROM etw_trace)) AS ts
FROM etw_thread
WHERE utid = :utid;
