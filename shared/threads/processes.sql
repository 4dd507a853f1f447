-- The names of all processes that threads can be of.
SELECT upid, ifnull(name, 'pid ' || pid) AS name
FROM process;
