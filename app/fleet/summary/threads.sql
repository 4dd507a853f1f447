-- The ids of threads by key.
SELECT utid, tid
FROM etw_thread;
