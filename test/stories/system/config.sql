-- What Windows wrote of the machine when the recording started or ended.
SELECT kind, fields
FROM etw_generic_event
WHERE
  kind IN (
    'SysConfig/CPU', 'SysConfig/Processor', 'SysConfig/Platform', 'SysConfig/NumaNode', 'SysConfig/ProcessorGroup',
    'SysConfig/PhyDisk', 'SysConfig/LogDisk', 'SysConfig/NIC', 'KernelTraceControl-SysConfigEx/BuildInfo'
  )
GROUP BY kind, fields
ORDER BY MIN(ts);
