WITH panel AS (/* select */
)
-- The rows of a panel, which stands before line 2 so that lines in errors are lines of its file. One more row than is shown
-- tells that there are more.
SELECT * FROM panel
LIMIT :max_rows + 1;
