-- How many events of each kind were recorded.
SELECT provider, event, fate, SUM(count) AS count
FROM etw_event_count
GROUP BY provider, event, fate;
