-- CPU time of threads by step of time, in the order of the steps, as columns of bytes: a value takes 8 bytes. In `key` the
-- number of the step is above the lowest 38 bits, the thread above the lowest 14. A thread can have several rows in a step.
SELECT
  first,
  (
    SELECT RepeatedField(key)
    FROM _etw_cpu_sum
    WHERE _auto_id >= first AND _auto_id < first + 65536 AND key >> 14 & 0xFFFFFF != 0
  ) AS key,
  (
    SELECT RepeatedField(CAST(ran_ns AS REAL))
    FROM _etw_cpu_sum
    WHERE _auto_id >= first AND _auto_id < first + 65536 AND key >> 14 & 0xFFFFFF != 0
  ) AS ran_ns
FROM _etw_part((SELECT COUNT(*) FROM _etw_cpu_sum))
ORDER BY first;
