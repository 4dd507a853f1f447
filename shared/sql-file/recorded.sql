-- Whether a table, which is put in here, has a row in which the column has a value.
SELECT EXISTS (SELECT 1 FROM /* table */ WHERE /* column */ IS NOT NULL) AS recorded;
