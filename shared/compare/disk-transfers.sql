-- Disk I/O that ended in a range.
SELECT ts, dur, kind, utid
FROM etw_disk_io
WHERE dur IS NOT NULL AND ts + dur >= :range_start AND ts + dur < :range_end;
