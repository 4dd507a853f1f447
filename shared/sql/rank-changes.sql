CREATE OR REPLACE PERFETTO TABLE _etw_rank_change AS
SELECT
  value ->> 'utid' AS utid,
  value ->> 'ts' AS ts,
  value ->> 'rank' AS rank,
  value ->> 'last_rank' AS last_rank,
  value ->> 'last_ts' AS last_ts
FROM json_each(:changes)
ORDER BY ts;
