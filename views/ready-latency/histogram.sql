-- How many waits lie in each hundredth of a decade of duration, by process. Waits below 100 ns, the tick of the usual
-- clock, count as 100 ns: how long they are says only how events of one tick were put in order.
WITH
  binned AS (
    SELECT
      utid,
      CAST(floor(ln(max(dur, 100)) / ln(10.0) * 100 + 1e-9) AS INTEGER) AS bin,
      COUNT(*) AS waits,
      SUM(dur) AS sum_ns,
      MAX(dur) AS max_ns,
      SUM(dur >= :at_least_ns) AS listed
    FROM _ready_latency_wait
    GROUP BY 1, 2
  )
SELECT
  t.upid, t.pid, t.process_name AS process, b.bin,
  SUM(b.waits) AS waits, SUM(b.sum_ns) AS sum_ns, MAX(b.max_ns) AS max_ns, SUM(b.listed) AS listed
FROM binned AS b
LEFT JOIN etw_thread AS t USING (utid)
GROUP BY t.upid, b.bin
ORDER BY t.upid, b.bin;
