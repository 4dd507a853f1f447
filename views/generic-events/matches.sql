-- The keys of the events of some kinds, a JSON array of `provider/name`, and of those that a text is found in, as bytes. The text is looked for in all of the message first, which is quick; and
-- then in the header's GUIDs and in what follows `"f":`, the fields: what is before them are numbers.
SELECT RepeatedField(id << 32) AS ids
FROM android_logs
WHERE
  tag IN (SELECT value FROM json_each(:kinds))
  OR (
    msg LIKE :pattern ESCAPE '!'
    AND (
      substr(msg, instr(msg, '"f":') + 4) LIKE :pattern ESCAPE '!'
      OR msg ->> '$.h.ActivityId' LIKE :pattern ESCAPE '!'
      OR msg ->> '$.h.RelatedActivityId' LIKE :pattern ESCAPE '!'
    )
  );
