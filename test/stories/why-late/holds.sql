-- When the picked thread could not run, whatever the CPUs did.
SELECT why, ts, te FROM _why_late_held;
