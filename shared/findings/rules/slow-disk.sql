-- @title Slow disk
-- @means A disk took long for one in twenty of its transfers, and threads were blocked until they were done.
-- @matters Whoever reads waits as long, and whoever waits for that thread, too. A disk that is asked for little and takes long is
--   worn, asleep, far away, or asked for more by somebody who is not in the trace.
-- @lost The time in which at least one transfer of the disk was under way that took so long.
-- @threshold 20 ms: for one in twenty transfers; a disk with turning plates takes half of it, a solid one less than 1 ms
-- @needs disk_io
-- @not_said Whether the disk or its driver is slow, and what the threads wanted to do with what they read.
-- @decide file_io: which operations on files waited for the disk
-- @sentence Disk {disk} took {p95_ns:duration} or more for one in twenty of {transfers:count} transfers, {longest_ns:duration} for
--   the longest; {thread} waited most, {waited_ns:duration} in all[, for {path} last].
-- @proof io

WITH
  ordered AS (
    SELECT
      i.disk, i.ts, i.dur, i.utid, i.path,
      ROW_NUMBER() OVER (PARTITION BY i.disk ORDER BY i.dur) AS place,
      COUNT(*) OVER (PARTITION BY i.disk) AS transfers
    FROM etw_disk_io AS i
  ),
  slow AS (
    SELECT disk, dur AS p95_ns, transfers FROM ordered
    -- A few transfers tell nothing of a disk.
    WHERE place = (transfers * 95 + 99) / 100 AND transfers >= 20 AND dur >= :threshold
  ),
  reach AS (
    SELECT
      o.disk, o.ts, o.ts + o.dur AS te,
      MAX(o.ts + o.dur) OVER (
        PARTITION BY o.disk ORDER BY o.ts, o.dur ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ) AS before_te
    FROM ordered AS o
    JOIN slow USING (disk)
    WHERE o.dur >= :threshold
  ),
  busy AS (
    SELECT disk, SUM(max(te - max(ts, ifnull(before_te, ts)), 0)) AS busy_ns FROM reach GROUP BY disk
  ),
  -- SQLite takes the other columns from the row of the MAX.
  waiter AS (
    SELECT o.disk, o.utid, SUM(o.dur) AS waited_ns, MAX(o.ts) AS last_ts, o.path
    FROM ordered AS o
    JOIN slow USING (disk)
    GROUP BY o.disk, o.utid
  ),
  most AS (SELECT disk, utid, MAX(waited_ns) AS waited_ns, path FROM waiter GROUP BY disk),
  all_of AS (
    SELECT disk, MIN(ts) AS from_ts, MAX(ts + dur) AS to_ts, MAX(dur) AS longest_ns FROM ordered GROUP BY disk
  )
SELECT
  a.from_ts AS ts, a.to_ts - a.from_ts AS dur, m.utid, NULL AS upid,
  b.busy_ns / 1e9 AS seconds_lost,
  s.disk, s.p95_ns, s.transfers, a.longest_ns, m.waited_ns, m.path
FROM slow AS s
JOIN busy AS b USING (disk)
JOIN most AS m USING (disk)
JOIN all_of AS a USING (disk);
