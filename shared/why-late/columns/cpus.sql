-- The CPUs, since when it is not known for the first time what one ran after a switch, and the clock.
SELECT
  t.start_ts, t.end_ts, ifnull(1e9 / nullif(t.clock_hz, 0), 100.0) AS tick_ns, c.cpu,
  (
    SELECT MIN(u.ts) FROM slice AS u
    WHERE u.name = 'etw.run_unknown' AND extract_arg(u.arg_set_id, 'debug.cpu') = c.cpu
  ) AS unknown_ts
FROM etw_trace AS t
JOIN etw_cpu AS c
ORDER BY c.cpu;
