-- Threads of an outline: the columns that are lent with it, and which service a thread worked for.
CREATE TEMP VIEW etw_thread AS
SELECT
  t.*,
  (
    SELECT v.name
    FROM etw_service AS v
    WHERE v.pid = t.pid AND v.sub_process_tag = nullif(t.sub_process_tag, 0)
    LIMIT 1
  ) AS service
FROM facts.etw_thread AS t;
