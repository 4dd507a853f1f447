-- The names of all threads and their processes.
SELECT t.utid, t.tid, t.name AS thread, t.upid, t.pid, t.process_name AS process
FROM etw_thread AS t;
