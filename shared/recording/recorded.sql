-- Whether a table, which is put in here, has a row that passes a condition.
SELECT EXISTS (SELECT 1 FROM /* table */ WHERE /* condition */) AS recorded;
