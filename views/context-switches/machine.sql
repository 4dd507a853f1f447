-- How many CPUs there are, and how the counts by step are cut.
SELECT
  (SELECT cpu_count FROM etw_trace) AS cpu_count,
  (SELECT dur FROM _etw_cpu_step LIMIT 1) AS step_ns;
