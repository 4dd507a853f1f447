-- Forgets the symbols that were loaded.
CREATE OR REPLACE PERFETTO TABLE etw_symbol(frame LONG, function STRING, file STRING, line LONG) AS
SELECT frame, function, file, line
FROM etw_symbol
WHERE 0;
