-- The waiting that ended in each moment of the range in view, blocked and ready. Moments are of one length here, from 0 on.
WITH
  waited AS (
    SELECT
      utid, te, dur,
      CASE
        WHEN last_switch_out_ts IS NOT NULL THEN last_switch_out_ts
        WHEN cause = 'wake' AND (SELECT t.create_ts FROM etw_thread AS t WHERE t.utid = w.utid) IS NULL
          THEN (SELECT start_ts FROM etw_trace)
        ELSE ts
      END AS since_ts
    FROM etw_ready_wait AS w
    WHERE ended AND te >= :range_start AND te < :range_end
  )
SELECT
  te / :bucket_ns * :bucket_ns AS ts, COUNT(*) AS waits, COUNT(DISTINCT utid) AS threads, SUM(te - since_ts) AS waited_ns
FROM waited
WHERE max(dur, te - dur - since_ts) >= :at_least_ns
GROUP BY 1
ORDER BY waited_ns DESC
LIMIT :limit;
