-- The providers that wrote generic events.
SELECT DISTINCT substr(tag, 1, instr(tag, '/') - 1) AS provider
FROM android_logs
ORDER BY 1;
