-- The longest waits. Details are joined to these few only.
CREATE OR REPLACE PERFETTO TABLE _picked_ready_wait AS
SELECT
  ts, dur, te, ended, cause, utid, waker_utid, waker_in_dpc, priority,
  rank, rank_source, rank_before, rank_after, cpu, flags
FROM _ready_latency_wait
WHERE dur >= :shortest_ns
ORDER BY dur DESC
LIMIT :longest;
