-- The tree of calls, as columns of bytes.
SELECT call
FROM _etw_call_column
ORDER BY first;
