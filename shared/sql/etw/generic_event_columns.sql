-- The events of `etw.generic_event` as columns of bytes, as `etw.sample_columns` has them.
INCLUDE PERFETTO MODULE etw.part;

INCLUDE PERFETTO MODULE etw.generic_event;

-- The kinds of events, numbered from 0.
CREATE TABLE _etw_generic_event_kind AS
SELECT ROW_NUMBER() OVER (ORDER BY tag) - 1 AS kind, tag
FROM (SELECT DISTINCT tag FROM android_logs);

-- The events in the order of time, which is that of their keys, counted from 0. In `place` the upper half is the kind, the lower
-- the thread, 0 for none.
CREATE TABLE _etw_generic_event_column AS
SELECT
  first,
  (
    SELECT RepeatedField(CAST(ts AS REAL))
    FROM android_logs
    WHERE id >= first AND id < first + 65536
  ) AS ts,
  (
    SELECT
      RepeatedField((SELECT k.kind FROM _etw_generic_event_kind AS k WHERE k.tag = l.tag) << 32 | l.utid)
    FROM android_logs AS l
    WHERE l.id >= first AND l.id < first + 65536
  ) AS place
FROM _etw_part((SELECT COUNT(*) FROM android_logs));
