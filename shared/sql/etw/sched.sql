-- Everything about scheduling: runs, ready waits and context switches.
INCLUDE PERFETTO MODULE etw.context_switch;

INCLUDE PERFETTO MODULE etw.ready_wait;

INCLUDE PERFETTO MODULE etw.run;
