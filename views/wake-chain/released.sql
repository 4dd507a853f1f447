-- What a run released: the threads readied while it lasted, until the thread blocked, and what they released in turn.
-- A wait of up to :past_dpc_ns that a DPC ended is gone past, but no more than four of a thread: what is a timer's
-- again and again has nothing to do with the release.
CREATE OR REPLACE PERFETTO MACRO _wake_chain_block_ts(utid Expr, ts Expr, past_dpc_ns Expr)
RETURNS Expr AS
(
  SELECT b.te
  FROM (
    SELECT
      r.te,
      r.ts,
      ifnull(
        (
          SELECT
            $past_dpc_ns > 0
            AND d.ts - r.te <= $past_dpc_ns
            AND d.cause = 'wake'
            AND d.waker_utid IS NULL
            AND d.waker_in_dpc IS NOT 0
          FROM etw_ready_wait AS d
          WHERE d.utid = $utid AND d.ts >= r.te AND r.ended
          ORDER BY d.ts
          LIMIT 1
        ),
        0
      ) AS is_passed
    FROM etw_run AS r
    WHERE
      r.utid = $utid
      AND r.ts >= $ts
      AND (
        r.ended = 0
        OR ifnull(r.switch_out_state NOT IN ('Ready', 'Standby', 'DeferredReady'), _etw_was_blocked($utid, r.te))
      )
    ORDER BY r.ts
    LIMIT 5
  ) AS b
  ORDER BY b.is_passed, iif(b.is_passed, -b.ts, b.ts)
  LIMIT 1
);

-- The ready events of a run are looked for until here: the converter writes a ready event that came before its thread's
-- switch-out just after that, by when the waker may have blocked. What a later run readied is its own.
CREATE OR REPLACE PERFETTO MACRO _wake_chain_until_ts(utid Expr, block_ts Expr)
RETURNS Expr AS
(
  min(
    $block_ts + 1000000,
    ifnull(
      (
        SELECT n.ts
        FROM etw_run AS n
        WHERE n.utid = $utid AND n.ts >= $block_ts
        ORDER BY n.ts
        LIMIT 1
      ),
      trace_end()
    )
  )
);

CREATE OR REPLACE PERFETTO TABLE _wake_chain_released AS
WITH RECURSIVE
  released(depth, waker_utid, waker_ts, utid, ready_ts, ts, ended, block_ts) AS (
    SELECT 0, NULL, NULL, :utid, NULL, :switch_in_ts, 1, _wake_chain_block_ts!(:utid, :switch_in_ts, :past_dpc_ns)
    UNION ALL
    SELECT
      r.depth + 1,
      r.utid,
      r.ts,
      w.utid,
      w.ts,
      w.te,
      w.cpu IS NOT NULL,
      iif(w.cpu IS NULL, NULL, _wake_chain_block_ts!(w.utid, w.te, :past_dpc_ns))
    FROM released AS r
    CROSS JOIN etw_ready_wait AS w
    WHERE
      r.depth < :depth
      AND r.ended
      AND w.ts > r.ts
      AND w.ts < _wake_chain_until_ts!(r.utid, ifnull(r.block_ts, trace_end()))
      AND w.waker_utid = r.utid
    ORDER BY 1, 5
    LIMIT :max_rows
  )
SELECT * FROM released WHERE depth > 0;

SELECT
  r.depth, r.waker_utid, r.waker_ts, r.utid, r.ready_ts, r.ts, r.ended, r.block_ts,
  r.ts - r.ready_ts AS ready_ns,
  t.tid, t.name AS thread, t.pid, t.process_name AS process, t.create_ts,
  ifnull(t.service, p.services) AS service,
  w.rank, w.priority,
  h.last_switch_out_ts, h.blocked_ns, h.last_wait_reason AS wait_reason,
  (SELECT start_ts FROM etw_trace) AS start_ts
FROM _wake_chain_released AS r
JOIN etw_ready_wait AS w ON w.ts = r.ready_ts AND w.utid = r.utid
JOIN etw_ready_wait_history AS h ON h.ts = r.ready_ts AND h.utid = r.utid
LEFT JOIN etw_thread AS t ON t.utid = r.utid
LEFT JOIN etw_process AS p ON p.upid = t.upid
ORDER BY r.depth, r.ready_ts;
