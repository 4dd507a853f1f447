-- The key in this load of a thread that was alive at some instant.
SELECT utid
FROM etw_thread
WHERE tid = :tid AND ifnull(create_ts, 0) <= :ts
ORDER BY ifnull(create_ts, 0) DESC
LIMIT 1;
