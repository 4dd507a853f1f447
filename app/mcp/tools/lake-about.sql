-- How many traces a lake has, and how many of them lost something.
SELECT count(*) AS traces, count(*) FILTER (WHERE is_lossy) AS lossy
FROM trace
