-- @title Thread that moves from CPU to CPU
-- @means In one second a thread changed its CPU so often that its caches did not follow.
-- @matters After each move the thread finds the caches of another CPU. Usual reasons are short sleeps, and work that is handed from
--   thread to thread.
-- @lost What the moves cost, at 5 µs each: an estimate.
-- @threshold 2000 moves/s: at 5 µs each, a hundredth of the second is lost
-- @needs switches
-- @measure migrated
-- @not_said What a move really cost: that depends on the caches.
-- @decide counters: how many instructions the thread did in each cycle
-- @sentence {thread} changed its CPU {moves:count} times in {runs:count} runs within {dur:duration}, on {cpus:count}
--   {cpus:processor|processors}; it ran for {ran_ns:duration} of it.
-- @proof context-switches by=thread

SELECT
  m.ts, m.dur, m.utid, NULL AS upid,
  m.moves * 5e-6 AS seconds_lost,
  m.moves, m.runs, m.ran_ns, m.cpus
FROM migrated AS m
-- A rest of a second at the end counts as the part of a second that it is, from a tenth on.
WHERE m.dur >= 100000000 AND m.moves * 1e9 / m.dur >= :threshold;
