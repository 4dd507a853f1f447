-- @title Others waited for one thread
-- @means While this thread ran, or was ready to run, other threads were blocked until it woke them. Each of their waits counts once,
--   at the end of its chain of wakes.
-- @matters What many threads wait for bounds how fast the machine answers, however many CPUs are free.
-- @lost How long others waited, all waits together; at most the length of the recording.
-- @threshold 50 %: half of the recording, 100 ms, and a twentieth of what all threads together made others wait
-- @needs ready_waits
-- @measure blamed
-- @not_said That the others waited for what the thread did: who woke them is recorded, and not what they waited for.
-- @decide stacks: which code the thread ran meanwhile
-- @sentence {thread} ran or was ready while others waited {active_ns:duration} for it, all waits together; it used
--   {ran_ns:duration} of CPU time, and set threads free {wakes:count} {wakes:time|times}.
-- @proof wake-chain direction=forward ts={ts} tid={tid}

SELECT
  b.ts, b.te - b.ts AS dur, b.utid, NULL AS upid,
  min(b.active_ns, t.end_ts - t.start_ts) / 1e9 AS seconds_lost,
  b.active_ns, b.ran_ns, b.wakes
FROM blamed AS b
JOIN etw_trace AS t
WHERE
  -- Where many threads share the blame, as those that queue do, none of them is to blame.
  b.active_ns * 20 >= (SELECT SUM(active_ns) FROM blamed)
  AND b.active_ns >= 100000000 AND b.active_ns >= :threshold * (t.end_ts - t.start_ts);
