CREATE OR REPLACE PERFETTO MACRO judged_waits(waits TableOrSubquery)
RETURNS TableOrSubquery AS
(
  SELECT
    ts,
    dur,
    te,
    ended,
    cause,
    utid,
    waker_utid,
    waker_in_dpc,
    priority,
    _etw_judged_rank!(w) AS rank,
    _etw_judged_rank_source!(w) AS rank_source,
    rank_before,
    rank_after,
    cpu,
    flags,
    last_switch_out_ts,
    last_ready_ts
  FROM $waits AS w
);

CREATE TEMP VIEW IF NOT EXISTS etw_ready_wait AS
SELECT * FROM judged_waits!(facts.etw_ready_wait);

CREATE TEMP VIEW IF NOT EXISTS etw_ready_wait_long AS
SELECT * FROM judged_waits!(facts.etw_ready_wait_long);
