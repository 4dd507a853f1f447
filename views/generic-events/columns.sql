-- All events, as columns of bytes.
SELECT ts, place
FROM _etw_generic_event_column
ORDER BY first;
