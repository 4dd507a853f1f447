-- Stretches of a wait of which events are missing.
SELECT ts, ts + dur AS te, cpu
FROM etw_loss
WHERE dur > 0 AND ts < :span_end AND ts + dur > :span_start;
