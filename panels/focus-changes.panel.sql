-- @title Focus changes
-- @description When the keyboard focus moved, and to which process: what the user did, to compare with what the computer did.
-- @needs focus
-- @draw marks ts=ts label=process
-- @click process

SELECT f.ts, f.dur, p.name AS process, f.upid
FROM etw_focus AS f
LEFT JOIN etw_process AS p USING (upid)
WHERE f.ts < :range_end AND f.ts >= :range_start
ORDER BY f.ts;
