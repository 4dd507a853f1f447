-- The recording in one row: the machine, how much there is, and what kinds of events there are.
SELECT
  t.*,
  (SELECT COUNT(*) FROM etw_process WHERE pid != 0) AS processes,
  (SELECT COUNT(*) FROM etw_thread) AS threads,
  (SELECT COUNT(*) FROM etw_loss) AS gaps,
  t.context_switches > 0 AS has_switches,
  NOT EXISTS (SELECT 1 FROM etw_event_count WHERE event = 'CompactCSwitch' AND fate = 'converted') AS has_reasons,
  t.ready_threads > 0 AS has_ready_threads,
  -- Stacks of events are samples to the engine, too: only their counter tells. Which is asked only where there are some.
  iif(
    EXISTS (SELECT 1 FROM perf_sample),
    EXISTS (
      SELECT 1
      FROM __intrinsic_counter
      WHERE
        track_id IN (SELECT id FROM track WHERE name = 'etw.sample')
        AND CAST(value AS INT) >> 48 & 3 = 0
    ),
    0
  ) AS has_samples,
  EXISTS (
    SELECT 1
    FROM etw_event_count
    WHERE provider = 'DiskIo' AND event IN ('Read', 'Write', 'FlushBuffers')
  ) AS has_disk,
  EXISTS (
    SELECT 1
    FROM etw_event_count
    WHERE provider = 'FileIo' AND event NOT IN ('Name', 'FileCreate', 'FileDelete', 'FileRundown')
  ) AS has_files,
  EXISTS (SELECT 1 FROM etw_focus) AS has_focus,
  EXISTS (SELECT 1 FROM etw_input) AS has_input,
  EXISTS (SELECT 1 FROM etw_process_freeze) AS has_freezes
FROM etw_trace AS t;
