-- Instructions in images, and whether calls return to them. Methods of .NET have their names from the trace.
SELECT
  frame,
  mapping,
  mapping_offset AS rva,
  frame IN (
    SELECT caller.frame
    FROM etw_callsite AS callee
    JOIN etw_callsite AS caller ON caller.callsite = callee.caller
  ) AS is_return
FROM etw_frame
WHERE frame NOT IN (SELECT n.frame FROM etw_frame_function AS n)
ORDER BY frame;
