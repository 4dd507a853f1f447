-- How many waits lie in each hundredth of a decade of duration, by process, thread, rank or
-- priority. Of waits below 1 ms only one in :every is
-- taken, and counts that often: grouping millions takes seconds. The prime keeps the choice apart from any timer's beat.
-- Waits below 100 ns, the tick of the usual clock, count as 100 ns: how long they are says only how events of one tick
-- were put in order.
WITH
  taken AS (
    SELECT
      utid, dur,
      CASE :group_by WHEN 'rank' THEN rank WHEN 'priority' THEN priority END AS level,
      iif(dur >= 1000000, 1, :every) AS weight
    FROM _ready_latency_wait
    WHERE dur >= 1000000 OR ts % 1000003 % :every = 0
  ),
  binned AS (
    SELECT
      utid, level,
      CAST(floor(ln(max(dur, 100)) / ln(10.0) * 100 + 1e-9) AS INTEGER) AS bin,
      SUM(weight) AS waits,
      SUM(dur * weight) AS sum_ns,
      MAX(dur) AS max_ns
    FROM taken
    GROUP BY utid, level, bin
  )
SELECT
  CASE :group_by WHEN 'process' THEN t.upid WHEN 'thread' THEN b.utid ELSE b.level END AS key,
  iif(:group_by IN ('process', 'thread'), t.pid, NULL) AS pid,
  iif(:group_by IN ('process', 'thread'), t.process_name, NULL) AS process,
  iif(:group_by = 'thread', t.tid, NULL) AS tid,
  iif(:group_by = 'rank', b.level, NULL) AS rank,
  iif(:group_by = 'priority', b.level, NULL) AS priority,
  b.bin,
  SUM(b.waits) AS waits, SUM(b.sum_ns) AS sum_ns, MAX(b.max_ns) AS max_ns
FROM binned AS b
LEFT JOIN etw_thread AS t USING (utid)
GROUP BY key, b.bin
ORDER BY key, b.bin;
