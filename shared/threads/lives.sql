-- When threads were created and ended. 0 stands for "before the trace" and for "not within it": no time is that early.
SELECT upid, ifnull(create_ts, 0) AS create_ts, ifnull(exit_ts, 0) AS exit_ts
FROM etw_thread
WHERE upid IS NOT NULL AND tid != 0;
