INCLUDE PERFETTO MODULE etw.process;
SELECT name, count(*) AS count FROM etw_process WHERE name IS NOT NULL AND pid <> 0 GROUP BY 1 ORDER BY lower(name);
