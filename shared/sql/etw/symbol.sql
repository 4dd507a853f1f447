-- Names of functions.

-- The functions of instructions in stacks, by symbols. Methods of .NET need none: `etw_stack_frame` has their names. Empty until symbols are loaded: `outrank symbols`, or the panel
-- Symbols.
CREATE PERFETTO TABLE etw_symbol(
  -- Key of the instruction, as in `etw_stack_frame`.
  frame LONG,
  -- Name of the function that it belongs to, with namespaces and classes, without parameters. Functions that were
  -- inlined into another count as part of that.
  function STRING,
  -- Its source file, where it was built; null where the symbols name none, as public ones do.
  file STRING,
  -- The line in it; null likewise. Of a call it is the line of the call, not of what follows.
  line LONG
) AS
SELECT NULL AS frame, NULL AS function, NULL AS file, NULL AS line
WHERE 0;
