-- The names of functions, where symbols gave any.
SELECT callsite, function
FROM etw_stack_frame
WHERE function IS NOT NULL;
