-- Handles of processes: the last count, and how many more were opened than closed.
SELECT
  p.upid,
  (SELECT h.handles FROM etw_handle_count AS h WHERE h.upid = p.upid ORDER BY h.ts DESC LIMIT 1) AS handles,
  (SELECT SUM(c.change) FROM etw_handle_change AS c WHERE c.upid = p.upid) AS change
FROM etw_process AS p;
