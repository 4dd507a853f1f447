-- What the kinds of events are called, in the order of their numbers.
SELECT provider, name AS event
FROM etw_generic_event
GROUP BY kind
ORDER BY kind;
