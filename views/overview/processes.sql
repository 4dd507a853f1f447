-- The names of the processes.
SELECT upid, pid, name, services FROM etw_process;
