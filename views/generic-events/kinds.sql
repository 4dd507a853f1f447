-- How many events of each kind are in each bucket of time, of those that pass the filters.
SELECT (ts - :range_start) / :bucket_ns AS bucket, tag, COUNT(*) AS events
FROM _etw_generic_event
WHERE
  ts >= :range_start
  AND ts < :range_end
  AND (:utids IS NULL OR utid IN (SELECT value FROM json_each(:utids)))
  AND (:pattern IS NULL OR tag LIKE :name_pattern ESCAPE '!' OR fields LIKE :pattern ESCAPE '!')
GROUP BY 2, 1;
