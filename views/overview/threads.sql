-- The process of each thread.
SELECT utid, upid FROM thread;
