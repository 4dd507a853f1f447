-- The instructions that are called from, in the order of their keys, which count from 0, as columns of bytes: a row has 65,536
-- frames at most. In `place` the upper half is the image, the lower that of the address less that of the image. Its upper half is
-- 0 but for those in `far`, as in generated code: there it is the lower half, and the upper is the frame.
SELECT
  (
    SELECT RepeatedField(f.mapping << 32 | (f.rel_pc & 0xFFFFFFFF))
    FROM stack_profile_frame AS f
    WHERE f.id >= part.id AND f.id < part.id + 65536
  ) AS place,
  (
    SELECT RepeatedField(f.id << 32 | (f.rel_pc >> 32 & 0xFFFFFFFF))
    FROM stack_profile_frame AS f
    WHERE f.id >= part.id AND f.id < part.id + 65536 AND f.rel_pc >> 32 != 0
  ) AS far
FROM stack_profile_frame AS part
WHERE part.id & 65535 = 0
ORDER BY part.id;
