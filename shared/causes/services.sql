-- The service that each thread worked for last; of a process with one service that one.
SELECT
  t.utid,
  COALESCE(t.service, IIF(p.services LIKE '%,%', NULL, p.services)) AS service
FROM etw_thread t
JOIN etw_process p USING (upid)
WHERE service IS NOT NULL
