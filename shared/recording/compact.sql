-- Whether context switches were recorded in their compact form.
SELECT EXISTS (SELECT 1 FROM etw_event_count WHERE event = 'CompactCSwitch' AND fate = 'converted') AS compact;
