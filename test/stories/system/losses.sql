-- The first gaps of the recording.
SELECT ts, NULLIF(dur, 0) AS dur, kind, cpu, count, message
FROM etw_loss
ORDER BY ts
LIMIT :max_rows;
