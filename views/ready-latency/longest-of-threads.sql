-- The longest waits, looked for among the waits of a few threads.
CREATE OR REPLACE PERFETTO TABLE _picked_ready_wait AS
SELECT
  w.ts, w.dur, w.te, w.ended, w.cause, w.utid, w.waker_utid, w.waker_in_dpc, w.priority,
  w.rank, w.rank_source, w.rank_before, w.rank_after, w.cpu, w.flags
FROM json_each(:utids) AS t
CROSS JOIN _ready_latency_wait AS w
WHERE w.utid = t.value AND w.dur >= :shortest_ns
ORDER BY w.dur DESC
LIMIT :longest;
