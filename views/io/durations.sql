-- How many took how long, in hundredths of a decade: floor(100 log10 of the ns).
SELECT
  CAST(ln(max(dur, 100)) * 43.42944819032518 + 1e-9 AS INT) AS bin,
  COUNT(*) AS ios,
  SUM(dur) AS sum_ns,
  MAX(dur) AS max_ns
FROM passing
WHERE dur IS NOT NULL
GROUP BY 1
ORDER BY 1;
