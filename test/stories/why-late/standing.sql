-- How a run stands to the thread that waited meanwhile:
-- `better_rank`: a better rank and a lower priority, so that rank alone let it go first;
-- `priority`: the same or a better rank, and the same or a higher priority;
-- `behind`: neither rank nor priority put it first;
-- `unknown`: a lower priority, and one of the two ranks is not known;
-- `idle`: the CPU had nothing to run.
CREATE OR REPLACE PERFETTO MACRO _why_late_standing(
  utid Expr,
  rank Expr,
  priority Expr,
  wait_rank Expr,
  wait_priority Expr
)
RETURNS Expr AS
(
  CASE
    WHEN $utid = 0 THEN 'idle'
    WHEN $rank > $wait_rank THEN 'behind'
    WHEN $priority >= $wait_priority THEN 'priority'
    WHEN $rank IS NULL OR $wait_rank IS NULL THEN 'unknown'
    WHEN $rank < $wait_rank THEN 'better_rank'
    ELSE 'behind'
  END
);
