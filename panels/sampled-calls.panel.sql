-- @title Sampled calls
-- @description Where the CPU time went, as a tree of calls: of the chosen thread or process, else of all but the idle thread.
-- @param least_share number % = 0.2: Calls with less of all samples are left out.
-- @needs samples
-- @draw flame id=callsite parent=caller name=frame value=self_ns
-- @column frame text: Function, or module and address where no symbols are.
-- @column self_ns duration: CPU time of samples in this very call.
-- @column total_ns duration: With all that it called.

WITH RECURSIVE sampled AS (
  SELECT callsite, sum(ifnull(weight_ns, 1000000)) AS self_ns
  FROM etw_sample
  WHERE
    ts >= :range_start AND ts < :range_end AND utid != 0
    AND (:utid IS NULL OR utid = :utid)
    AND (:utid IS NOT NULL OR :pid IS NULL OR utid IN (SELECT utid FROM etw_thread WHERE pid = :pid))
  GROUP BY callsite
),
-- Each sampled call gives its time to all that called it.
charged(callsite, sampled, self_ns) AS (
  SELECT callsite, callsite, self_ns FROM sampled
  UNION ALL
  SELECT c.caller, charged.sampled, charged.self_ns
  FROM charged
  JOIN etw_callsite AS c ON c.callsite = charged.callsite
  WHERE c.caller IS NOT NULL
),
call AS (
  SELECT callsite, sum(self_ns) AS total_ns, sum(iif(callsite = sampled, self_ns, 0)) AS self_ns
  FROM charged
  GROUP BY callsite
)
SELECT
  call.callsite,
  f.caller,
  ifnull(
    f.function,
    ifnull(replace(f.module, rtrim(f.module, replace(f.module, '\', '')), ''), 'no module')
    || printf('+0x%x', ifnull(f.rva, f.address))
  ) AS frame,
  call.self_ns,
  call.total_ns
FROM call
JOIN etw_stack_frame AS f ON f.callsite = call.callsite
WHERE call.total_ns >= :least_share * (SELECT sum(self_ns) FROM sampled)
ORDER BY call.total_ns DESC;
