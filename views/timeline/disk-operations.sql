-- What disks did, in the order of time.
SELECT ts, ts + dur AS te, kind, utid, path, size_bytes, disk
FROM etw_disk_io
WHERE dur > 0
ORDER BY ts;
