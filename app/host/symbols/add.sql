-- Adds symbols: a JSON array of arrays of frame, function, file, line.
CREATE OR REPLACE PERFETTO TABLE etw_symbol(frame LONG, function STRING, file STRING, line LONG) AS
SELECT frame, function, file, line
FROM etw_symbol
UNION ALL
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3
FROM json_each(:symbols)
ORDER BY frame;
