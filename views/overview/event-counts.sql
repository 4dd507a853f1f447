-- How many events of each kind the file holds.
SELECT provider, event, fate, SUM(count) AS count
FROM etw_event_count
GROUP BY provider, event, fate;
