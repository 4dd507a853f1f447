-- The recording in one row.
SELECT
  t.*,
  (SELECT COUNT(*) FROM etw_process WHERE pid != 0) AS processes,
  (SELECT COUNT(*) FROM etw_thread) AS threads
FROM etw_trace AS t;
