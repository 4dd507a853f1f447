-- How many waits there are in the range.
SELECT COUNT(*) AS waits
FROM _etw_ready_wait
WHERE ts < :range_end AND te > :range_start;
