-- The I/O of one source that passes the filters and lies in the range, if only in part: what the other files begin with.
WITH
  io AS (
    SELECT ts, dur, kind, kind AS direction, utid, upid, path, size_bytes, disk, priority, NULL AS status
    FROM etw_disk_io
    WHERE :source = 'disk'
    UNION ALL
    SELECT ts, dur, kind, kind AS direction, utid, upid, path, ifnull(done, size_bytes), NULL, NULL, status
    FROM etw_file_io
    WHERE :source = 'file'
    UNION ALL
    SELECT ts, dur, 'hard_fault', 'read', utid, upid, path, size_bytes, NULL, NULL, NULL
    FROM etw_hard_fault
    WHERE :source = 'hard_fault'
  ),
  passing AS (
    SELECT
      ts,
      ts + ifnull(dur, 0) AS te,
      dur,
      kind,
      iif(direction IN ('read', 'write'), direction, 'other') AS direction,
      utid,
      upid,
      path,
      -- What other operations answer is no size.
      iif(direction IN ('read', 'write'), size_bytes, NULL) AS size_bytes,
      disk,
      priority,
      status
    FROM io
    WHERE
      ts < :range_end
      AND ts + ifnull(dur, 0) >= :range_start
      AND (
        :utids IS NULL
        OR utid IN (
          SELECT value FROM json_each(:utids)
          UNION ALL
          SELECT t.utid FROM etw_thread AS t WHERE t.upid IN (SELECT value FROM json_each(:upids))
        )
      )
      AND (:path IS NULL OR instr(lower(path), lower(:path)) > 0)
      AND (:min_ns = 0 OR dur >= :min_ns)
      AND (:direction IS NULL OR iif(direction IN ('read', 'write'), direction, 'other') = :direction)
  )
