-- What is missing, by kind.
SELECT kind, COUNT(*) AS gaps, SUM(count) AS events, SUM(dur) AS dur_ns, MIN(ts) AS first_ts
FROM etw_loss
GROUP BY kind
ORDER BY kind;
