-- What use a CPU is to a thread that waits, from how the run on it stands; the words are in `use.ts`.
CREATE OR REPLACE PERFETTO MACRO _why_late_use(
  standing Expr,
  is_usable Expr,
  is_interrupted Expr,
  takes_it Expr
)
RETURNS Expr AS
(
  CASE
    WHEN NOT $is_usable THEN iif($standing IN ('idle', 'behind') AND NOT $is_interrupted, 'free_elsewhere', 'elsewhere')
    WHEN NOT $is_interrupted OR $standing NOT IN ('idle', 'behind') THEN $standing
    WHEN $takes_it THEN 'taking_interrupt'
    ELSE 'interrupt'
  END
);
