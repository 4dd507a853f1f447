-- The samples of the whole recording, as columns of bytes.
SELECT ts, place, value
FROM _etw_sample_column
ORDER BY first;
