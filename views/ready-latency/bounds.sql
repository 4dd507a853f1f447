-- When the picked thread could run on some CPUs only, which are bits of `mask`.
SELECT ts, te, mask FROM _why_late_bound ORDER BY ts;
