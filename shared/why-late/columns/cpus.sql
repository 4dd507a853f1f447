-- The CPUs in their groups, and the clock.
SELECT t.start_ts, t.end_ts, _etw_tick_ns() AS tick_ns, c.cpu
FROM etw_trace AS t
JOIN etw_cpu AS c
ORDER BY c.cpu;
