SELECT tid, pid, name AS thread, base_priority, create_ts, exit_ts, service
FROM etw_thread
WHERE tid = :tid AND ifnull(create_ts, 0) <= :ts AND ifnull(exit_ts, :ts) >= :ts
ORDER BY create_ts DESC
LIMIT 1;
