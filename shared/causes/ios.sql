-- What threads waited for on disks and in files: I/O that was under way at some time from :start to :end, by its end.
SELECT 'disk' AS kind, utid, ts, ts + dur AS te, path FROM etw_disk_io
WHERE ts < :end AND ts + dur > :start AND utid IS NOT NULL
UNION ALL
SELECT 'hard_fault', utid, ts, ts + dur, path FROM etw_hard_fault
WHERE ts < :end AND ts + dur > :start AND utid IS NOT NULL
UNION ALL
SELECT 'file', utid, ts, ts + dur, path FROM etw_file_io
WHERE ts < :end AND ts + dur > :start AND utid IS NOT NULL AND dur IS NOT NULL
ORDER BY 4;
