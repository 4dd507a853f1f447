-- Which Windows was recorded, and in how many gaps events were lost.
SELECT os_build, (SELECT COUNT(*) FROM etw_loss) AS gaps
FROM etw_trace;
