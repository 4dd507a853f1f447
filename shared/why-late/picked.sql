-- The waits whose keys are in :waits, a JSON array of pairs of thread and time. Other queries read them in the same request:
-- viewers that share an engine replace one another's.
CREATE OR REPLACE PERFETTO TABLE _picked_ready_wait AS
SELECT w.ts, w.dur, w.te, w.ended, w.utid, w.rank, w.priority, w.cpu, w.flags
FROM json_each(:waits) AS p
CROSS JOIN etw_ready_wait AS w
WHERE w.utid = json_extract(p.value, '$[0]') AND w.ts = json_extract(p.value, '$[1]');
