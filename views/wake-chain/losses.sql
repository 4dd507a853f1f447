-- Whether events are missing between two times.
SELECT EXISTS (SELECT 1 FROM etw_loss WHERE ts < :until_ts AND ts + dur >= :since_ts) AS events_lost;
