-- The ranks above 0 of threads in the range in view.
SELECT h.ts, h.dur, t.process_name AS process, t.tid, t.name AS thread, h.last_rank, h.rank, h.changed_after_ts, h.reason
FROM etw_thread_rank AS h
JOIN etw_thread AS t USING (utid)
WHERE h.rank > 0 AND h.ts < :range_end AND h.ts + h.dur > :range_start
  AND matches(:process, t.process_name)
ORDER BY h.dur DESC;
