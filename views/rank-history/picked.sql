-- The threads whose ranks are asked for: that had a rank above 0 in the range.
CREATE OR REPLACE PERFETTO TABLE _rank_history_thread AS
SELECT r.utid, SUM(min(r.ts + r.dur, :range_end) - max(r.ts, :range_start)) AS ranked_ns, MAX(r.rank) AS highest_rank
FROM etw_thread_rank AS r
WHERE
  r.rank > 0
  AND r.ts < :range_end
  AND r.ts + r.dur > :range_start
  AND (
    :process IS NULL
    OR r.utid IN (SELECT utid FROM etw_thread WHERE instr(lower(process_name), lower(:process)))
  )
GROUP BY r.utid;
