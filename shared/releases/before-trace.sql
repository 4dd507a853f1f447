-- Which threads of :utids were there before the trace, and when that begins.
SELECT u.value AS utid, t.start_ts
FROM json_each(:utids) AS u
JOIN etw_thread AS h ON h.utid = u.value AND h.create_ts IS NULL
JOIN etw_trace AS t;
