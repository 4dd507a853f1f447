-- @title Hot loop
-- @means A process spent most of its CPU time within a few instructions: most of its samples are within 128 bytes of code.
-- @matters A loop that runs so much does more than it should, often a search through a list that has grown. It is found
--   without symbols, and it is the first place to look at.
-- @lost The CPU time of the samples within those bytes.
-- @threshold 50 %: in the WMI investigation 95 % of the samples were in a loop of nine instructions
-- @needs samples
-- @not_said Whether the loop does something of use.
-- @decide stacks: who called the loop
-- @decide symbols: which function it is in
-- @sentence {share:share} of the samples of {process} are within 128 bytes of {image}+0x{offset}: {samples:count} samples,
--   {ran_ns:duration} of CPU time.
-- @proof cpu-sampled process={process_name} frames=address

WITH
  sample AS (
    SELECT t.upid, f.module, ifnull(f.rva, f.address) >> 6 AS block, s.ts, s.weight_ns
    FROM etw_sample AS s
    -- In this order: by thread, each thread would go through all calls.
    CROSS JOIN etw_stack_frame AS f ON f.callsite = s.callsite
    CROSS JOIN thread AS t ON t.utid = s.utid
    WHERE s.utid != 0 AND NOT s.in_dpc AND NOT s.in_isr
  ),
  whole AS (SELECT upid, COUNT(*) AS samples FROM sample GROUP BY upid HAVING COUNT(*) >= 200),
  block AS (
    SELECT
      upid, module, block, COUNT(*) AS samples, SUM(weight_ns) AS ran_ns, MIN(ts) AS from_ts, MAX(ts) AS to_ts
    FROM sample
    WHERE upid IN (SELECT upid FROM whole)
    GROUP BY upid, module, block
  ),
  -- A loop may lie across the border of two blocks.
  pair AS (
    SELECT
      a.upid, a.module, a.block,
      a.samples + ifnull(b.samples, 0) AS samples,
      ifnull(a.ran_ns, 0) + ifnull(b.ran_ns, 0) AS ran_ns,
      min(a.from_ts, ifnull(b.from_ts, a.from_ts)) AS from_ts,
      max(a.to_ts, ifnull(b.to_ts, a.to_ts)) AS to_ts
    FROM block AS a
    LEFT JOIN block AS b ON b.upid = a.upid AND b.module IS a.module AND b.block = a.block + 1
  ),
  -- SQLite takes the other columns from the row of the MAX.
  hottest AS (SELECT upid, module, block, ran_ns, from_ts, to_ts, MAX(samples) AS samples FROM pair GROUP BY upid)
SELECT
  h.from_ts AS ts, h.to_ts - h.from_ts AS dur, NULL AS utid, h.upid,
  h.ran_ns / 1e9 AS seconds_lost,
  h.samples * 1.0 / w.samples AS share,
  ifnull(replace(h.module, rtrim(h.module, replace(h.module, '\', '')), ''), 'unknown code') AS image,
  printf('%x', h.block << 6) AS offset,
  h.samples, nullif(h.ran_ns, 0) AS ran_ns
FROM hottest AS h
JOIN whole AS w USING (upid)
WHERE h.samples >= :threshold * w.samples;
