-- DPCs and ISRs in the windows of a wait, as in `ran-runs.sql`. A threaded DPC is a thread's work.
WITH
  clipped AS (
    SELECT cpu, max(ts, :span_start) AS ts, min(ts + dur, :span_end) AS te
    FROM etw_interrupt
    WHERE ts + dur > :span_start AND ts < :span_end AND dur > 0 AND kind IS NOT 'threaded_dpc'
  )
SELECT cpu, ts, te
FROM clipped
WHERE
  (:span_end - te) % :period_ns < :window_ns
  OR (:span_end - te) / :period_ns != (:span_end - ts - 1) / :period_ns;
