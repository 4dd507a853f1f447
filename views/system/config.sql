-- What Windows wrote of the machine when the recording started or ended.
SELECT tag, fields
FROM _etw_generic_event
WHERE
  tag IN (
    'SysConfig/CPU', 'SysConfig/Processor', 'SysConfig/Platform', 'SysConfig/NumaNode', 'SysConfig/ProcessorGroup',
    'SysConfig/PhyDisk', 'SysConfig/LogDisk', 'SysConfig/NIC', 'KernelTraceControl-SysConfigEx/BuildInfo'
  )
GROUP BY tag, fields
ORDER BY MIN(ts);
