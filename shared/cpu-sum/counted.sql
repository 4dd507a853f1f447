-- What each counter counted in the runs that ended from :range_start on up to :range_end.
SELECT c.utid, c.priority, c.rank, s.place, SUM(c.counted) AS counted
FROM (SELECT counter, row_number() OVER (ORDER BY counter) - 1 AS place FROM etw_counter_source) AS s
JOIN etw_run_counter AS c USING (counter)
WHERE c.te > :range_start AND c.te <= :range_end AND c.utid != 0
GROUP BY c.utid, c.priority, c.rank, s.place;
