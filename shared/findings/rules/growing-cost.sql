-- @title Cost that grows with the count
-- @means Threads or processes were made, or processes ended, ever more slowly: each took longer than the one before.
-- @matters Where the cost of one grows with the number that there are, all together take the square of it: O(n²). It passes
--   every test with few, and stops a machine with many.
-- @lost The time beyond what it would have taken at the pace of the first eighth.
-- @threshold 3 times: the last eighth took three times as long as the first, and the eighths between rose with it
-- @needs thread_lives
-- @not_said What in the making of one grows with their number.
-- @decide stacks: which code takes the time
-- @sentence {count:count} {what}[ {process}]: {first_ns:duration} each at first, {last_ns:duration} each at last.
-- @proof threads what={series} pid={pid}

WITH
  moment AS (
    SELECT 'threads were made in' AS what, upid, create_ts AS ts FROM etw_thread WHERE create_ts IS NOT NULL
    UNION ALL
    SELECT 'processes were made', parent_upid, create_ts FROM etw_process WHERE create_ts IS NOT NULL
    UNION ALL
    SELECT 'processes ended', NULL, exit_ts FROM etw_process WHERE exit_ts IS NOT NULL
  ),
  gap AS (
    SELECT
      what, upid, ts, ts - lag(ts) OVER series AS gap_ns,
      ntile(8) OVER series AS part,
      COUNT(*) OVER (PARTITION BY what, upid) AS count
    FROM moment
    WINDOW series AS (PARTITION BY what, upid ORDER BY ts)
  ),
  part AS (
    SELECT what, upid, count, part, AVG(gap_ns) AS mean_ns, MIN(ts) AS from_ts, MAX(ts) AS to_ts, SUM(gap_ns) AS sum_ns
    FROM gap
    WHERE count >= 64 AND gap_ns IS NOT NULL
    GROUP BY what, upid, part
  ),
  grown AS (
    SELECT
      what, upid, count,
      MIN(from_ts) AS ts, MAX(to_ts) AS te, SUM(sum_ns) AS sum_ns,
      MAX(iif(part = 1, mean_ns, NULL)) AS first_ns,
      MAX(iif(part = 8, mean_ns, NULL)) AS last_ns,
      -- The correlation of place and pace: 1 if each eighth is slower by the same.
      (8 * SUM(part * mean_ns) - SUM(part) * SUM(mean_ns))
      / sqrt(
        (8 * SUM(part * part) - SUM(part) * SUM(part))
        * (8 * SUM(mean_ns * mean_ns) - SUM(mean_ns) * SUM(mean_ns))
      ) AS correlation
    FROM part
    GROUP BY what, upid
  )
SELECT
  ts, te - ts AS dur, NULL AS utid, upid,
  (sum_ns - (count - 1) * first_ns) / 1e9 AS seconds_lost,
  iif(what = 'processes were made' AND upid IS NOT NULL, 'processes were made by', what) AS what,
  CASE what WHEN 'processes ended' THEN 'exits' WHEN 'processes were made' THEN 'processes' ELSE 'threads' END AS series,
  count, first_ns, last_ns
FROM grown
WHERE last_ns >= :threshold * first_ns AND correlation >= 0.9;
