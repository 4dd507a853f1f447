-- The traces of a day, each a base trace with other lengths and counts: by the number of the trace alone, so that it is the same each time.
CREATE OR REPLACE TEMP TABLE varied AS
SELECT
  sha256('outrank bench ' || n.number) AS id,
  b.trace_id AS base,
  n.number,
  -- Between half and one and a half; of every tenth, three times as much, as of builds that became slower.
  (0.5 + (hash(n.number) % 1000) / 1000.0) * CASE WHEN n.number % 10 = 0 THEN 3 ELSE 1 END AS factor
FROM range(CAST(:first AS BIGINT), CAST(:last AS BIGINT)) AS n(number)
JOIN (SELECT trace_id, row_number() OVER (ORDER BY trace_id) - 1 AS place, count(*) OVER () AS bases FROM trace) AS b
  ON n.number % b.bases = b.place;
