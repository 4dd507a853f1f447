-- Ready waits as the reasons of them need these.
INCLUDE PERFETTO MODULE etw.ready_wait;

-- SQL does not work the reasons out: an outline is lent these waits, with what the model of the scheduler found.
CREATE PERFETTO VIEW _etw_ready_wait_reason_code AS
SELECT *, NULL AS reason_code
FROM etw_ready_wait;
