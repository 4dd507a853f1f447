-- Everything about scheduling: runs, ready waits, context switches, CPU time, hardware counters, interrupts, ranks, priorities and
-- affinities.
INCLUDE PERFETTO MODULE etw.affinity;

INCLUDE PERFETTO MODULE etw.context_switch;

INCLUDE PERFETTO MODULE etw.cpu;

INCLUDE PERFETTO MODULE etw.cpu_switches;

INCLUDE PERFETTO MODULE etw.ideal_cpu;

INCLUDE PERFETTO MODULE etw.interrupt;

INCLUDE PERFETTO MODULE etw.ready_wait;

INCLUDE PERFETTO MODULE etw.ready_wait_history;

INCLUDE PERFETTO MODULE etw.run;

INCLUDE PERFETTO MODULE etw.run_counter;

INCLUDE PERFETTO MODULE etw.thread_rank;
