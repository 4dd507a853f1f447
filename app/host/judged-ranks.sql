CREATE OR REPLACE PERFETTO TABLE etw_ready_wait_rank AS
SELECT
  value ->> 'ts' AS ts,
  value ->> 'dur' AS dur,
  value ->> 'utid' AS utid,
  value ->> 'rank_before' AS rank_before,
  value ->> 'rank_after' AS rank_after,
  value ->> 'rank' AS rank,
  value ->> 'before_explains_ns' AS before_explains_ns,
  value ->> 'after_explains_ns' AS after_explains_ns,
  value ->> 'put_aside_better' AS put_aside_better
FROM json_each(:judged)
ORDER BY ts;
