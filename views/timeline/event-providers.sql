-- The providers that wrote generic events.
SELECT DISTINCT substr(kind, 1, instr(kind, '/') - 1) AS provider
FROM etw_generic_event
ORDER BY 1;
