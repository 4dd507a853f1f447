-- The names of all processes that threads can be of.
SELECT upid, name
FROM process;
