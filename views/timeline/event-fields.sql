-- The fields of one generic event.
SELECT fields
FROM etw_generic_event
WHERE id = :id;
