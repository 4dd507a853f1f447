-- File operations that ended in a range.
SELECT ts, dur, kind, utid
FROM etw_file_io
WHERE dur IS NOT NULL AND ts + dur >= :range_start AND ts + dur < :range_end;
