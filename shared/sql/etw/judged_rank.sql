-- The rank of a ready wait, where another one was recorded before it than after it.
INCLUDE PERFETTO MODULE etw.ready_wait_rank;

-- The rank that was judged to fit what ran meanwhile; without a judgement that which the wait has.
CREATE PERFETTO MACRO _etw_judged_rank(
  -- A row with the ranks of a ready wait.
  w Expr
)
RETURNS Expr AS
(
  iif(
    $w.rank_before != $w.rank_after,
    ifnull((SELECT j.rank FROM etw_ready_wait_rank AS j WHERE j.ts = $w.ts), $w.rank),
    $w.rank
  )
);

-- Where that rank comes from.
CREATE PERFETTO MACRO _etw_judged_rank_source(
  -- A row with the ranks of a ready wait.
  w Expr
)
RETURNS Expr AS
(
  iif(
    $w.rank_before != $w.rank_after AND EXISTS (SELECT 1 FROM etw_ready_wait_rank AS j WHERE j.ts = $w.ts),
    'judged',
    $w.rank_source
  )
);
