-- Where sampled CPU time went, by the innermost call, most samples first; and how many places there are.
WITH
  place AS (
    SELECT
      ifnull(t.process_name, 'unknown process') AS process,
      f.module,
      f.function,
      iif(f.function IS NULL, f.rva >> 8 << 8, NULL) AS rva,
      s.weight_ns
    FROM etw_sample AS s
    CROSS JOIN etw_stack_frame AS f USING (callsite)
    LEFT JOIN etw_thread AS t USING (utid)
    WHERE s.utid != 0
  ),
  image AS (
    SELECT path, MIN(pdb) AS pdb, MIN(guid || printf('%x', age)) AS pdb_id
    FROM etw_image
    WHERE pdb IS NOT NULL
    GROUP BY path
  )
SELECT
  p.process,
  p.module,
  p.function,
  p.rva,
  i.pdb,
  i.pdb_id,
  COUNT(*) AS samples,
  SUM(p.weight_ns) AS cpu_ns,
  COUNT(*) OVER () AS places
FROM place AS p
LEFT JOIN image AS i ON i.path = p.module
GROUP BY p.process, p.module, p.function, p.rva
ORDER BY samples DESC, p.process, p.module, p.function, p.rva
LIMIT :kept;
