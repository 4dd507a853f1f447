-- The sampled profile as columns of bytes, which a view takes over whole: a value takes 8 bytes, as `RepeatedField` writes
-- it, and neither the engine nor the view looks at cells one by one. A row has 65,536 values at most.
INCLUDE PERFETTO MODULE etw.part;

INCLUDE PERFETTO MODULE etw.stack;

-- The tree of calls, in the order of its keys, which count from 0. In `call` the upper half is the frame; the lower how far
-- before the callsite its caller is, 0 for none.
CREATE TABLE _etw_call_column AS
SELECT
  first,
  (
    SELECT RepeatedField(frame_id << 32 | id - ifnull(parent_id, id))
    FROM stack_profile_callsite
    WHERE id >= first AND id < first + 65536
  ) AS call
FROM _etw_part((SELECT COUNT(*) FROM stack_profile_callsite));

-- The instructions that are called from, likewise. In `place` the upper half is the image, the lower that of the address less
-- that of the image. Its upper half is 0 but for those in `far`, as in generated code: there it is the lower half, and the
-- upper is the frame.
CREATE TABLE _etw_frame_column AS
SELECT
  first,
  (
    SELECT RepeatedField(mapping << 32 | (rel_pc & 0xFFFFFFFF))
    FROM stack_profile_frame
    WHERE id >= first AND id < first + 65536
  ) AS place,
  (
    SELECT RepeatedField(id << 32 | (rel_pc >> 32 & 0xFFFFFFFF))
    FROM stack_profile_frame
    WHERE id >= first AND id < first + 65536 AND rel_pc >> 32 != 0
  ) AS far
FROM _etw_part((SELECT COUNT(*) FROM stack_profile_frame));

-- The samples of threads other than the idle thread, in the order of time. In `place` the upper half is the callsite, the lower
-- the thread; `value` is that of `_etw_sample` doubled, and one more in the kernel.
CREATE TABLE _etw_sample_column AS
SELECT
  first,
  (
    SELECT RepeatedField(CAST(ts AS REAL))
    FROM _etw_sample
    WHERE _auto_id >= first AND _auto_id < first + 65536 AND utid != 0
  ) AS ts,
  (
    SELECT RepeatedField(callsite << 32 | utid)
    FROM _etw_sample
    WHERE _auto_id >= first AND _auto_id < first + 65536 AND utid != 0
  ) AS place,
  (
    SELECT RepeatedField(CAST(value << 1 | is_kernel AS REAL))
    FROM _etw_sample
    WHERE _auto_id >= first AND _auto_id < first + 65536 AND utid != 0
  ) AS value
FROM _etw_part((SELECT COUNT(*) FROM _etw_sample));
