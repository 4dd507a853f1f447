-- The services of Windows, and which process hosts each.
INCLUDE PERFETTO MODULE etw.generic_event;

-- A service, as Windows lists it when a recording starts and ends.
CREATE PERFETTO TABLE etw_service(
  -- When it was listed first with these values.
  ts TIMESTAMP,
  -- Name, such as `DcomLaunch`.
  name STRING,
  -- Name for people, such as `DCOM Server Process Launcher`.
  display_name STRING,
  -- Process id of its host; null for a service that does not run.
  pid LONG,
  -- Windows' number for it, which threads that work for it carry: `sub_process_tag` in `etw_thread`.
  sub_process_tag LONG,
  -- State, such as `Running`.
  state STRING
) AS
SELECT
  min(ts) AS ts,
  fields ->> '$.ServiceName' AS name,
  fields ->> '$.DisplayName' AS display_name,
  nullif(fields ->> '$.ProcessId', 0) AS pid,
  fields ->> '$.SubProcessTag' AS sub_process_tag,
  fields ->> '$.ServiceState' AS state
FROM etw_generic_event
WHERE kind = 'SysConfig/Services'
GROUP BY 2, 3, 4, 5, 6
ORDER BY 1, 2;
