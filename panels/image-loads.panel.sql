-- @title Image loads by process
-- @description Who loads which programs and libraries, and when: security software and shell extensions show here, and what
--   makes a start slow.
-- @param path text = none: Part of the image's path, in small letters.
-- @needs image_loads
-- @draw spans lane=upid ts=load_ts dur=dur series=stays
-- @column dur duration: How long it stayed, up to the end of the recording.
-- @click process

SELECT
  upid,
  load_ts,
  ifnull(unload_ts, :trace_end) - load_ts AS dur,
  iif(unload_ts IS NULL, 'stays', 'unloaded again') AS stays,
  path,
  size_bytes
FROM etw_image
WHERE
  load_ts < :range_end AND ifnull(unload_ts, :trace_end) > :range_start AND upid IS NOT NULL
  AND (:path IS NULL OR instr(lower(path), :path))
ORDER BY load_ts;
