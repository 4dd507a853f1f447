-- @title Much time in the kernel
-- @means The CPUs spent a large part of their time in privileged mode: in the kernel, in drivers, and in interrupts.
-- @matters Programs do their own work in user mode. Much kernel time comes from system calls in a loop, page faults, context
--   switches, drivers, or filters such as virus scanners.
-- @lost The kernel time beyond the bound, divided by the number of CPUs.
-- @threshold 10 %: of all CPU time there is, no more is normal (PAL, "2 million context switches", where it was 40 %)
-- @needs sample_intervals
-- @not_said Whether the work in the kernel was asked for.
-- @decide stacks: which calls led into the kernel
-- @decide symbols: which functions of the kernel ran
-- @sentence {share:share} of all CPU time was in the kernel, {kernel_ns:duration}; most of it in {process}, {part_ns:duration}.
-- @proof cpu-sampled mode=kernel

WITH
  kernel AS (
    SELECT t.upid, SUM(s.weight_ns) AS ran_ns
    FROM etw_sample AS s
    JOIN thread AS t ON t.utid = s.utid
    WHERE s.is_kernel AND s.utid != 0
    GROUP BY t.upid
  ),
  -- SQLite takes `upid` from the row of the MAX.
  total AS (SELECT SUM(ran_ns) AS kernel_ns, MAX(ran_ns) AS part_ns, upid FROM kernel),
  span AS (SELECT MIN(ts) AS ts, MAX(ts) - MIN(ts) AS dur FROM etw_sample)
SELECT
  s.ts, s.dur, NULL AS utid, k.upid,
  (k.kernel_ns - :threshold * s.dur * t.cpu_count) / t.cpu_count / 1e9 AS seconds_lost,
  k.kernel_ns * 1.0 / (s.dur * t.cpu_count) AS share,
  k.kernel_ns, k.part_ns
FROM total AS k
JOIN span AS s
JOIN etw_trace AS t
WHERE k.kernel_ns > :threshold * s.dur * t.cpu_count;
