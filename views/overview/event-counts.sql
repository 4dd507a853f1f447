-- How many events of each kind the file holds, without those that were left out.
SELECT provider, event, fate = 'generic' AS is_generic, SUM(count) AS count
FROM etw_event_count
WHERE fate != 'skipped'
GROUP BY provider, event, fate = 'generic';
