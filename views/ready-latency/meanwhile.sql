-- What ran in a stretch of time in which one thread waited, and how each run stands to that thread:
-- `better_rank`: a better rank and a lower priority, so that rank alone let it go first;
-- `priority`: the same or a better rank, and the same or a higher priority;
-- `behind`: neither rank nor priority put it first;
-- `unknown`: a lower priority, and one of the two ranks is not known;
-- `idle`: the CPU had nothing to run.
CREATE OR REPLACE PERFETTO VIEW _ready_latency_run AS
SELECT
  r.cpu, r.ts, r.dur, r.utid, r.priority, r.rank,
  CASE
    WHEN r.utid = 0 THEN 'idle'
    WHEN r.rank > :wait_rank THEN 'behind'
    WHEN r.priority >= :wait_priority THEN 'priority'
    WHEN r.rank IS NULL OR :wait_rank IS NULL THEN 'unknown'
    WHEN r.rank < :wait_rank THEN 'better_rank'
    ELSE 'behind'
  END AS standing
FROM etw_ran_between(:span_start, :span_end) AS r;
