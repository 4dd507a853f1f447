-- What a thread did up to :until_ts, in the run that had begun last by then, and who had woken it for that.
WITH
  own_run AS (
    SELECT ts, cpu, priority, rank
    FROM etw_run
    WHERE utid = :utid AND ts < :until_ts
    ORDER BY ts DESC
    LIMIT 1
  ),
  wake AS (
    SELECT w.ts, w.te, w.dur, w.rank, w.waker_utid, w.waker_in_dpc
    FROM etw_ready_wait AS w
    WHERE w.utid = :utid AND w.ts < (SELECT ts FROM own_run) AND w.cause = 'wake'
    ORDER BY w.ts DESC
    LIMIT 1
  ),
  -- The last time before that run at which it blocked, or was lost sight of.
  block AS (
    SELECT te
    FROM etw_run
    WHERE
      utid = :utid
      AND ts < (SELECT ts FROM own_run)
      AND (
        ended = 0
        OR ifnull(switch_out_state NOT IN ('Ready', 'Standby', 'DeferredReady'), _etw_was_blocked(:utid, te))
      )
    ORDER BY ts DESC
    LIMIT 1
  ),
  -- A wake counts only if the thread did not block again after it.
  woken AS (SELECT * FROM wake WHERE te > ifnull((SELECT te FROM block), 0)),
  span AS (
    SELECT
      ifnull((SELECT te FROM woken), own_run.ts) AS switch_in_ts,
      ifnull((SELECT te FROM block), (SELECT start_ts FROM etw_trace)) AS since_ts
    FROM own_run
  )
SELECT
  t.tid, t.name AS thread, t.pid, t.process_name AS process, t.create_ts,
  ifnull(t.service, p.services) AS service,
  span.switch_in_ts,
  (
    SELECT SUM(min(te, :until_ts) - ts) FROM etw_run
    WHERE utid = :utid AND ts >= span.switch_in_ts AND ts < :until_ts
  ) AS ran_ns,
  (
    SELECT COUNT(*) FROM etw_run
    WHERE utid = :utid AND ts >= span.switch_in_ts AND ts < :until_ts
  ) AS runs,
  first.cpu, first.priority, ifnull(woken.rank, first.rank) AS rank,
  woken.ts AS ready_ts, woken.dur AS ready_ns, woken.waker_utid, woken.waker_in_dpc,
  h.blocked_ns, h.last_wait_reason AS wait_reason,
  w.tid AS waker_tid, w.process_name AS waker_process,
  ifnull(w.service, q.services) AS waker_service,
  (SELECT te FROM block) AS block_ts,
  EXISTS (SELECT 1 FROM etw_loss WHERE ts < :until_ts AND ts + dur >= span.since_ts) AS events_lost,
  (SELECT start_ts FROM etw_trace) AS start_ts
FROM span
JOIN etw_run AS first ON first.utid = :utid AND first.ts = span.switch_in_ts
LEFT JOIN woken
LEFT JOIN etw_ready_wait_history AS h ON h.utid = :utid AND h.ts = woken.ts
LEFT JOIN etw_thread AS t ON t.utid = :utid
LEFT JOIN etw_process AS p ON p.upid = t.upid
LEFT JOIN etw_thread AS w ON w.utid = woken.waker_utid
LEFT JOIN etw_process AS q ON q.upid = w.upid;
