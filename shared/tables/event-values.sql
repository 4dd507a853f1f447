-- The values of some events, by their keys: the texts that these have, with U+0001 between two.
SELECT iif(header IS NULL, fields, header || char(1) || fields) AS "values"
FROM etw_generic_event
WHERE id BETWEEN :first AND :last
ORDER BY id;
