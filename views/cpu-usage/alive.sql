-- Since when each thread is known to be alive.
SELECT utid, ifnull(create_ts, (SELECT start_ts FROM etw_trace)) AS alive_ts
FROM etw_thread;
