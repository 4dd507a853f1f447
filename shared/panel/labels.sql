-- Processes by their keys in this load.
SELECT upid, pid, name FROM etw_process;
