-- The fields of one generic event.
SELECT fields
FROM _etw_generic_event
WHERE id = :id;
