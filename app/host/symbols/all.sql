-- The symbols that were loaded.
SELECT frame, function, file, line
FROM etw_symbol
ORDER BY frame;
