-- What the trace holds beside scheduling, to say what cannot be known.
SELECT
  (SELECT start_ts FROM etw_trace) AS start_ts,
  (SELECT end_ts FROM etw_trace) AS end_ts,
  (SELECT cpu_count FROM etw_trace) AS cpu_count,
  _etw_tick_ns() AS tick_ns,
  EXISTS (SELECT 1 FROM etw_event_count WHERE event = 'CompactCSwitch' AND fate = 'converted') AS has_compact_switches,
  EXISTS (SELECT 1 FROM etw_thread_affinity) AS has_affinities,
  EXISTS (SELECT 1 FROM etw_process_freeze) AS has_freezes,
  (
    SELECT COUNT(*) FROM etw_loss
    WHERE ts < :range_end AND ts + dur >= :range_start
  ) AS losses;
