-- The frames of stacks, with what they are called.
INCLUDE PERFETTO MODULE etw.stack;

INCLUDE PERFETTO MODULE etw.symbol;

-- Frames of all stacks, as a tree of calls: a stack is a frame and all its callers. `etw_stack` lists one.
CREATE PERFETTO VIEW etw_stack_frame(
  -- Key of the frame in its stack.
  callsite LONG,
  -- The frame that called it; null for the outermost.
  caller LONG,
  -- How many frames called it, directly or not.
  depth LONG,
  -- Path of the image file, as Windows names it. For the generated code of a .NET method the file that the method is from,
  -- or `[.NET]` where that was not recorded. Null where nothing is known.
  module STRING,
  -- Name of the function. Of a .NET method `Namespace.Type.Method`, by what the runtime told; of other code null without
  -- symbols.
  function STRING,
  -- Address of the instruction less that of the image; null where no image is known.
  rva LONG,
  -- Address of the instruction. Kernel addresses are negative here: `printf('%x', address)` shows them as usual.
  address LONG,
  -- Key of the instruction in `etw_symbol`, which tells the source file and line too.
  frame LONG
) AS
SELECT
  c.callsite,
  c.caller,
  c.depth,
  m.module,
  ifnull(n.function, s.function) AS function,
  -- Generated code lies in no image, also where it has the name of one.
  iif(m.is_image, f.mapping_offset, NULL) AS rva,
  m.start + f.mapping_offset AS address,
  c.frame
FROM etw_callsite AS c
-- In this order: SQLite would begin with the images, which are fewest, and look for their frames one image at a time.
CROSS JOIN etw_frame AS f ON f.frame = c.frame
CROSS JOIN etw_mapping AS m ON m.mapping = f.mapping
LEFT JOIN etw_frame_function AS n ON n.frame = c.frame
LEFT JOIN etw_symbol AS s ON s.frame = c.frame;

-- The frames of a stack, innermost (the greatest `depth`) first.
--
-- Example: `SELECT module, printf('%x', rva) FROM etw_stack(4711)`.
CREATE PERFETTO FUNCTION etw_stack(
  -- The innermost frame, such as `etw_sample.callsite` or `etw_event_stack.callsite`.
  callsite LONG
)
RETURNS TABLE(
  -- Key of the frame, as in `etw_stack_frame`.
  callsite LONG,
  -- How many frames called it.
  depth LONG,
  -- Path of the file, as in `etw_stack_frame`.
  module STRING,
  -- Name of the function, as in `etw_stack_frame`.
  function STRING,
  -- Address of the instruction less that of the image; null where no image is known.
  rva LONG,
  -- Address of the instruction, as in `etw_stack_frame`.
  address LONG
) AS
WITH RECURSIVE stack(callsite) AS (
  SELECT $callsite
  UNION ALL
  SELECT c.caller
  FROM stack AS s
  JOIN etw_callsite AS c ON c.callsite = s.callsite
  WHERE c.caller IS NOT NULL
)
SELECT f.callsite, f.depth, f.module, f.function, f.rva, f.address
FROM stack AS s
JOIN etw_stack_frame AS f ON f.callsite = s.callsite
ORDER BY f.depth DESC;
