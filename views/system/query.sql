-- How many events of each provider were recorded, and what became of these.
SELECT provider, event, version, fate, reason, count
FROM etw_event_count
ORDER BY count DESC;
