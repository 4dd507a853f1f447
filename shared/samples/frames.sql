-- The instructions that are called from, as columns of bytes.
SELECT place, far
FROM _etw_frame_column
ORDER BY first;
