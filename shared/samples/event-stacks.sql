-- The stacks of kernel events of one kind, in the order of time.
SELECT ts, callsite
FROM _etw_event_stack
WHERE value & 0x1FFFF = :kind
ORDER BY ts;
