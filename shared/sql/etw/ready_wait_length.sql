-- How lengths of ready waits are counted.

-- The bin of a duration: the hundredth of a decade in which it lies. Below 100 ns, the tick of the usual clock, all is one bin: how
-- long such a wait is says only how events of one tick were put in order.
CREATE PERFETTO MACRO _etw_ready_wait_bin(
  -- The duration in ns.
  dur Expr
)
RETURNS Expr AS
(
  CAST(ln(max($dur, 100)) * 43.42944819032518 + 1e-9 AS INT)
);
