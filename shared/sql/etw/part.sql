-- How long results are cut into parts for columns of bytes.

-- Where each part begins, of so many rows: parts of 65,536 rows.
CREATE PERFETTO FUNCTION _etw_part(
  -- How many rows there are.
  rows LONG
)
RETURNS TABLE(
  -- The first row of the part, counted from 0.
  first LONG
) AS
WITH RECURSIVE
  part(first) AS (
    SELECT 0
    UNION ALL
    SELECT first + 65536
    FROM part
    WHERE first + 65536 < $rows
  )
SELECT first
FROM part;
