-- @title Release moment
-- @means One thread set many others free at once: threads that had been blocked for a second or more became ready one after
--   the other, all by that thread, without a pause of 1 ms in which it could run.
-- @matters This is how a lock looks that was held for long, and a chain of wakes that begins with its release. What the
--   releasing thread did before is what they all waited for.
-- @lost The longest of these waits; where it began before the trace, at least that.
-- @threshold 10 threads: fewer are common where a thread pool is given work
-- @needs ready_waits
-- @measure released
-- @not_said What the lock is: that one thread woke the others is recorded, and not what they waited for.
-- @decide stacks: which code ran while the others waited
-- @decide user_locks: whether it was the lock of the window manager
-- @sentence {thread} set {threads:count} threads of {processes:count} {processes:process|processes} free within
--   {dur:duration}; the longest of them had been blocked for {longest_ns:duration}.
-- @proof wake-chain direction=forward ts={ts} tid={tid}

SELECT
  r.*, NULL AS upid,
  r.longest_ns / 1e9 AS seconds_lost
FROM released AS r
WHERE r.threads >= :threshold;
