-- What exits waited for longest, and who let them go.
SELECT p.pid, p.exit_ts, w.ts, w.dur, w.wait_reason, w.waker_utid, w.before_upid
FROM etw_process_exit_wait AS w
JOIN etw_process AS p ON p.upid = w.upid;
