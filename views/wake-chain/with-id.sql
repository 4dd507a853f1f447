-- The threads that had an id, one after the other.
SELECT utid FROM etw_thread WHERE tid = :tid;
