-- The names of all threads. Those of their processes come apart: a million threads can have one.
SELECT t.utid, t.tid, t.name AS thread, t.upid, t.pid
FROM etw_thread AS t;
