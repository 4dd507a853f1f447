-- Stretches of the waits in the table `_picked_ready_wait` in which the thread could not run, whatever the CPUs did.
CREATE OR REPLACE PERFETTO TABLE _why_late_held AS
SELECT * FROM _etw_ready_wait_held!(_picked_ready_wait);
