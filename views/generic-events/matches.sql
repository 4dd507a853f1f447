-- The keys of the events of some kinds, a JSON array of `provider/name`, and of those in whose fields or activities a text is found, as bytes.
SELECT RepeatedField(id << 32) AS ids
FROM etw_generic_event
WHERE
  kind IN (SELECT value FROM json_each(:kinds))
  OR fields LIKE :pattern ESCAPE '!'
  OR activity_id LIKE :pattern ESCAPE '!'
  OR related_activity_id LIKE :pattern ESCAPE '!';
