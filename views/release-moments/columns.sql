-- The waits of the trace that ended, as columns of bytes.
SELECT te, waited
FROM _etw_ready_wait_column
ORDER BY first;
