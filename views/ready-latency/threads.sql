-- The names of all threads.
SELECT utid, tid, name AS thread, upid, pid, process_name AS process
FROM etw_thread;
