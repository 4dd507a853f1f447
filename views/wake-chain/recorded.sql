-- What the trace holds, to say what cannot be known.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  EXISTS (SELECT 1 FROM etw_run) AS has_switches,
  EXISTS (SELECT 1 FROM etw_ready_wait WHERE cause = 'wake') AS has_ready_threads,
  EXISTS (SELECT 1 FROM etw_event_count WHERE event = 'CompactCSwitch' AND fate = 'converted') AS has_compact_switches,
  EXISTS (SELECT 1 FROM etw_loss) AS has_losses;
