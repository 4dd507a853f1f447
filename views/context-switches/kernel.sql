-- Samples by thread and CPU, and which part of them was in the kernel.
SELECT
  utid, cpu, COUNT(*) AS samples, SUM(is_kernel) AS in_kernel,
  SUM(iif(is_kernel, ifnull(weight_ns, 0), 0)) AS kernel_ns
FROM etw_sample
WHERE ts >= :range_start AND ts < :range_end AND utid != 0
GROUP BY utid, cpu;
