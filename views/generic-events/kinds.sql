-- What the kinds of events are called, by number.
SELECT tag
FROM _etw_generic_event_kind
ORDER BY kind;
