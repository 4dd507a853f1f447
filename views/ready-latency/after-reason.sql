-- Of the picked waits those after a wait with such a reason, :max_rows at most. Before `details.sql`, which looks up a dozen
-- more facts of each.
CREATE OR REPLACE PERFETTO TABLE _picked_ready_wait AS
SELECT
  p.ts, p.dur, p.te, p.ended, p.cause, p.utid, p.waker_utid, p.waker_in_dpc, p.priority,
  p.rank, p.rank_source, p.rank_before, p.rank_after, p.cpu, p.flags
FROM _picked_ready_wait AS p
LEFT JOIN _etw_blocked AS b ON b.te = p.ts AND +b.utid = p.utid
CROSS JOIN etw_run AS r
WHERE
  r.te = ifnull(b.te - b.dur, iif(p.cause = 'preempted', p.ts, NULL))
  AND +r.utid = p.utid
  AND instr(lower(r.switch_out_wait_reason), lower(:wait_reason))
ORDER BY p.dur DESC, p.ts
LIMIT :max_rows;
