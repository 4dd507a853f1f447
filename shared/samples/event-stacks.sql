-- The stacks of kernel events of one kind, in the order of time.
SELECT ts, callsite
FROM etw_event_stack
WHERE kind = :kind
ORDER BY ts;
