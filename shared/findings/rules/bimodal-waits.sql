-- @title Ready waits of two kinds
-- @means The ready waits of a thread are either short or long, with nothing between: something holds it up at times, and not at others.
-- @matters A mean or a median hides this. What the long waits have in common, and the short ones have not, is the cause.
-- @lost The long waits of the thread, summed.
-- @threshold 1 s: long waits of 10 ms or more, all together
-- @needs ready_waits
-- @measure two_modes
-- @not_said What tells the two kinds apart: the view Ready latency divides each wait by its causes.
-- @decide interrupts: whether DPCs or interrupts held the CPU in the long ones
-- @sentence {thread} was ready {waits:count} times: {long_waits:count} times for about {long_ns:duration}, else for about
--   {short_ns:duration}; none took between {short_most_ns:duration} and {long_least_ns:duration}. The long ones take
--   {long_sum_ns:duration} in all.
-- @proof ready-latency wait_ts={ts} wait_tid={tid}

SELECT
  m.ts, m.dur, m.utid, NULL AS upid,
  m.long_sum_ns / 1e9 AS seconds_lost,
  m.waits, m.long_waits, m.short_ns, m.long_ns, m.short_most_ns, m.long_least_ns, m.long_sum_ns
FROM two_modes AS m
WHERE m.long_least_ns >= 10000000 AND m.long_sum_ns >= :threshold;
