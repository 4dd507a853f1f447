-- How many events of each kind the file holds.
SELECT provider, event, version, fate, reason, count
FROM etw_event_count
ORDER BY count DESC, provider, event, version;
