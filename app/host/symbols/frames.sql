-- Instructions in images, and whether calls return to them. Methods of .NET have their names from the trace.
SELECT
  id AS frame,
  mapping,
  rel_pc AS rva,
  id IN (
    SELECT caller.frame_id
    FROM stack_profile_callsite AS callee
    JOIN stack_profile_callsite AS caller ON caller.id = callee.parent_id
  ) AS is_return
FROM stack_profile_frame
WHERE ifnull(name, '') = ''
ORDER BY id;
