-- The columns of the engine's own tables and views, in their order.
SELECT m.name AS item, m.type AS kind, c.name AS column_name, c.type AS column_type
FROM sqlite_master AS m, pragma_table_info(m.name) AS c
WHERE m.type IN ('table', 'view') AND m.name NOT GLOB '_*' AND m.name NOT GLOB 'etw_*'
ORDER BY m.name, c.cid;
