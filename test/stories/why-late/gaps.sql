-- Stretches of a wait in which events of a CPU are missing.
SELECT ts, te, cpu
FROM _etw_cpu_gap
WHERE ts < :span_end AND te > :span_start;
