-- The instructions that are called from, in the order of their keys, which count from 0.
SELECT mapping AS module, rel_pc AS rva
FROM stack_profile_frame
ORDER BY id;
