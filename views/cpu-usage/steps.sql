-- CPU time in the steps that `_etw_cpu_sum` has, by its `key`.
SELECT key, ran_ns
FROM _etw_cpu_sum
WHERE key >= (:first_step << 38) AND key < (:after_step << 38);
