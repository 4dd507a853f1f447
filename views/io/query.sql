-- The longest disk I/O of the range in view. etw_file_io and etw_hard_fault have that of files and of page faults. -- if source = auto, disk
-- The longest operations on files of the range in view. -- if source = file
-- The longest hard faults of the range in view. -- if source = hard_fault
SELECT
  d.ts, d.dur, d.kind, t.process_name AS process, t.tid, d.path, d.byte_offset, d.size_bytes,
  d.disk, d.priority -- if source = auto, disk
  d.done, d.status -- if source = file
  d.address -- if source = hard_fault
FROM etw_disk_io AS d -- if source = auto, disk
FROM etw_file_io AS d -- if source = file
FROM (SELECT *, 'read' AS kind FROM etw_hard_fault) AS d -- if source = hard_fault
LEFT JOIN etw_thread AS t USING (utid)
WHERE d.ts < :range_end AND d.ts + ifnull(d.dur, 0) >= :range_start
  AND d.kind = :direction -- if direction = read, write
  AND d.kind NOT IN ('read', 'write') -- if direction = other
  AND matches(:process, t.process_name, id(t.pid))
  AND matches(:thread, t.name, id(t.tid))
  AND matches(:path, d.path)
  AND d.dur >= :min_ns
ORDER BY d.dur DESC
LIMIT :limit;
