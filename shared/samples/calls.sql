-- The tree of calls, in the order of its keys, which count from 0.
SELECT parent_id AS caller, frame_id AS frame
FROM stack_profile_callsite
ORDER BY id;
