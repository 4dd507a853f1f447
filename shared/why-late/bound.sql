-- Stretches of the waits in the table `_picked_ready_wait` in which the thread could run on some CPUs only.
CREATE OR REPLACE PERFETTO TABLE _why_late_bound AS
SELECT * FROM _etw_ready_wait_bound!(_picked_ready_wait);
