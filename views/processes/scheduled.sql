-- Whether the trace tells what threads waited for.
SELECT EXISTS (SELECT 1 FROM _etw_ready_wait WHERE waker_utid IS NOT NULL) AS has_wakes;
