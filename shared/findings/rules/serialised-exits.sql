-- @title Serialised exits
-- @means Processes ended one after the other: the last thread of each was blocked on its way out, until a process that
--   was itself ending let it go.
-- @matters Ending processes queue behind one lock (such as that of the window manager), which everything else that needs
--   it waits for too: input and windows stand still meanwhile.
-- @lost From the start of the first such wait to the last of these exits.
-- @threshold 10 exits: fewer happen where programs end together
-- @needs process_lives
-- @needs ready_waits
-- @not_said Which lock it is.
-- @decide stacks: where the processes waited on their way out
-- @sentence {exits:count} processes ended one at a time within {dur:duration}, {per_exit_ns:duration} each: every one
--   waited[ ({reason})] until the one before let it go. The last was {process}.
-- @proof processes ended=true

WITH
  -- SQLite takes the other columns from the row of the MAX: the exit that came last.
  queue AS (
    SELECT queue, MIN(ts) AS from_ts, MAX(te) AS to_ts, utid, upid, COUNT(*) AS exits
    FROM etw_process_exit_queue
    GROUP BY queue
  )
SELECT
  from_ts AS ts,
  to_ts - from_ts AS dur,
  utid,
  upid,
  (to_ts - from_ts) / 1e9 AS seconds_lost,
  exits,
  (to_ts - from_ts) / exits AS per_exit_ns,
  (
    SELECT n.wait_reason FROM etw_process_exit_queue AS n
    WHERE n.queue = q.queue
    GROUP BY n.wait_reason
    ORDER BY COUNT(*) DESC
    LIMIT 1
  ) AS reason
FROM queue AS q
WHERE exits >= :threshold;
