-- How `_etw_cpu_sum` is cut.
SELECT dur FROM _etw_cpu_step LIMIT 1;
