-- Which signals some traces of a lake lack, and how many.
SELECT signal, count(*) FILTER (WHERE NOT is_recorded) AS lacking
FROM recorded
GROUP BY signal
HAVING lacking > 0
ORDER BY lacking, signal
