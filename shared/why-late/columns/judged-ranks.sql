-- The waits whose rank was judged.
SELECT
  ts, dur, utid, rank_before, rank_after, rank, before_explains_ns, after_explains_ns, put_aside_better
FROM etw_ready_wait_rank;
