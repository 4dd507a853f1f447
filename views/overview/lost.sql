-- When events of a CPU are missing.
SELECT cpu, ts, ts + dur AS te
FROM etw_loss
WHERE cpu IS NOT NULL AND dur > 0 AND ts < :range_end AND ts + dur > :range_start;
