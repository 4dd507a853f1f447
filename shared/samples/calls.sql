-- The tree of calls in the order of its keys, which count from 0, as a column of bytes: a row has 65,536 calls at most. In `call`
-- the upper half is the frame; the lower how far before the callsite its caller is, 0 for none.
SELECT
  (
    SELECT RepeatedField(c.frame_id << 32 | c.id - ifnull(c.parent_id, c.id))
    FROM stack_profile_callsite AS c
    WHERE c.id >= part.id AND c.id < part.id + 65536
  ) AS call
FROM stack_profile_callsite AS part
WHERE part.id & 65535 = 0
ORDER BY part.id;
