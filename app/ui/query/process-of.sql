-- A process by its key in this load.
SELECT pid FROM etw_process WHERE upid = :upid;
