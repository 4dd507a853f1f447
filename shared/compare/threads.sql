-- All threads with what they are known by in any recording.
SELECT utid, tid, upid, name, service, start_address
FROM etw_thread;
