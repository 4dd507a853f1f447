-- The ids of threads and processes of the trace, each with the time from which on one has it; 0 for before the recording.
SELECT 'thread' AS kind, tid AS id, min(ifnull(create_ts, 0)) AS from_ts FROM etw_thread GROUP BY tid
UNION ALL
SELECT 'process', pid, min(ifnull(create_ts, 0)) FROM etw_process GROUP BY pid;
