-- The names of all functions that the engine has.
SELECT DISTINCT name FROM pragma_function_list ORDER BY name;
