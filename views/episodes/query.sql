-- What the user did in the range in view: an episode begins with each.
-- Where episodes of other kinds begin: etw_focus, etw_generic_event, etw_process, etw_process_freeze, etw_ready_wait. -- if kind
SELECT ts, kind, key_name, x, y
FROM etw_input
WHERE ts >= :range_start AND ts < :range_end
ORDER BY ts;
