-- CPU time of threads by step of time, in the order of the steps, as columns of bytes: a value takes 8 bytes. A thread can have
-- several rows in a step.
SELECT
  first,
  (
    SELECT RepeatedField(CAST(key AS REAL))
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
