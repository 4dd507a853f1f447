-- The recording in one row: the machine, and how much there is.
SELECT
  t.*,
  (SELECT COUNT(*) FROM etw_process WHERE pid != 0) AS processes,
  (SELECT COUNT(*) FROM etw_thread) AS threads,
  (SELECT COUNT(*) FROM etw_loss) AS gaps
FROM etw_trace AS t;
