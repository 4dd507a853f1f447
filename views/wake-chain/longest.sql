-- The switch-in that ended the longest ready wait in the range, the first of several.
CREATE OR REPLACE PERFETTO TABLE _wake_chain_longest AS
SELECT te, utid
FROM etw_ready_wait
WHERE te > :range_start AND te < :range_end AND cpu IS NOT NULL
ORDER BY dur DESC, ts
LIMIT 1;

SELECT l.te AS ts, t.tid
FROM _wake_chain_longest AS l
JOIN etw_thread AS t USING (utid);
