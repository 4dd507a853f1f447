-- @title Context switch storm
-- @means The machine switched between threads far more often than work needs, for a second or longer.
-- @matters Each switch costs time in the kernel and empties caches. Common reasons are threads that hand one item at a time
--   to one another, spinning with short sleeps, and locks that all threads want.
-- @lost The length of the storm: an upper bound, since some work gets done meanwhile.
-- @threshold 100000 switches/s: some 1,000 a second are normal, and a server should never be above 100,000 (PAL, "2 million
--   context switches")
-- @needs switches
-- @measure storms
-- @not_said How much of the work was of use.
-- @decide stacks: which code made the threads switch
-- @decide counters: how many instructions each cycle did
-- @sentence Up to {peak_per_s:count} context switches a second, {switches:count} within {dur:duration}; {thread} was
--   switched in most, {share:share} of the time.
-- @proof context-switches by=thread

SELECT
  ts, dur, utid, NULL AS upid,
  dur / 1e9 AS seconds_lost,
  switches, peak_per_s,
  runs * 1.0 / peak_switches AS share
FROM storms
WHERE peak_per_s > :threshold;
