-- Where the recorded ranks of threads change.
INCLUDE PERFETTO MODULE etw.run;

-- The recorded ranks that differ from the one that the same thread's previous run recorded, with each thread's first.
-- Of threads that ever left rank 0 only, which are few. Of an outline it is made of columns when SQL first needs it.
CREATE PERFETTO TABLE _etw_rank_change AS
WITH
  ranked AS (
    SELECT utid FROM _etw_run WHERE rank > 0
    UNION
    SELECT utid FROM _etw_end_before WHERE rank > 0
  ),
  ended AS (
    SELECT r.utid, r.te AS ts, r.rank
    FROM ranked
    CROSS JOIN _etw_run AS r ON r.utid = ranked.utid
    UNION ALL
    SELECT utid, ts, rank FROM _etw_end_before WHERE utid IN (SELECT utid FROM ranked)
  ),
  recorded AS (
    SELECT
      utid, ts, rank,
      lag(rank) OVER thread AS last_rank,
      lag(ts) OVER thread AS last_ts
    FROM ended
    WHERE rank IS NOT NULL
    WINDOW thread AS (PARTITION BY utid ORDER BY ts)
  )
SELECT utid, ts, rank, last_rank, last_ts
FROM recorded
WHERE last_rank IS NULL OR last_rank != rank
ORDER BY ts;
