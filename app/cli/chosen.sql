-- Whether a thread and a process are in the trace.
SELECT
  EXISTS (SELECT 1 FROM etw_thread WHERE tid = :tid) AS has_thread,
  EXISTS (SELECT 1 FROM etw_process WHERE pid = :pid) AS has_process;
