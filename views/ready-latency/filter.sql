-- The waits that the user's filters let through, in the range in view. Every other query of this view reads these.
CREATE OR REPLACE PERFETTO VIEW _ready_latency_wait AS
SELECT w.*
FROM etw_ready_wait AS w
WHERE
  w.ts < :range_end
  AND w.te > :range_start
  AND (:ranked_only = 0 OR w.rank > 0)
  AND (:rank IS NULL OR w.rank = :rank)
  AND (:priority IS NULL OR w.priority = :priority)
  AND (:cause = 'any' OR w.cause = :cause)
  AND (
    :process IS NULL
    OR w.utid IN (
      SELECT utid FROM etw_thread WHERE instr(lower(process_name), lower(:process))
    )
  )
  AND (
    :thread IS NULL
    OR w.utid IN (
      SELECT utid FROM etw_thread
      WHERE CAST(tid AS TEXT) = :thread OR instr(lower(name), lower(:thread))
    )
  );
