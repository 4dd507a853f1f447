-- The longest disk I/O of the range in view. etw_file_io and etw_hard_fault have that of files and of page faults.
SELECT d.ts, d.dur, d.kind, t.process_name AS process, t.tid, d.path, d.byte_offset, d.size_bytes, d.disk, d.priority
FROM etw_disk_io AS d
LEFT JOIN etw_thread AS t USING (utid)
WHERE d.ts < :range_end AND d.ts + d.dur > :range_start
ORDER BY d.dur DESC
LIMIT 200;
