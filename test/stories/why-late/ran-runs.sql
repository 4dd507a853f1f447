-- Runs in the windows of a wait: the last :window_ns of each :period_ns, counted back from its end.
SELECT
  cpu, ts, ts + dur AS te,
  _why_late_standing!(utid, rank, priority, :wait_rank, :wait_priority) AS standing
FROM etw_ran_between(:span_start, :span_end)
WHERE
  (:span_end - ts - dur) % :period_ns < :window_ns
  OR (:span_end - ts - dur) / :period_ns != (:span_end - ts - 1) / :period_ns;
