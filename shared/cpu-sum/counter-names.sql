-- The hardware counters that were recorded.
SELECT name FROM etw_counter_source ORDER BY counter;
