-- What a trace says in words, such as `rank=2 switch_out_priority=14`. Form: docs/encoding.md, "Words".

-- What words say under a name; null where the name is not among them.
CREATE PERFETTO FUNCTION _etw_word(
  -- The words.
  words STRING,
  -- The name.
  name STRING
)
RETURNS STRING AS
WITH
  at AS (SELECT ' ' || $words || ' ' AS said, ' ' || $name || '=' AS key),
  found AS (SELECT substr(said, instr(said, key) + length(key)) AS value FROM at WHERE instr(said, key) > 0)
SELECT substr(value, 1, instr(value, ' ') - 1)
FROM found;
