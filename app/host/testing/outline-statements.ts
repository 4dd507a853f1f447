const INTERRUPTS = 'ts, dur, cpu, kind, routine, module, rva, vector, return_value, message, exclusive_ns';

/** SQL that an outline answers, in an order of rows that is the same everywhere. */
export const STATEMENTS = [
  'SELECT * FROM etw_run ORDER BY ts, cpu LIMIT 5000',
  `SELECT *, new_callsite IS NULL AS new_callsite, ready_callsite IS NULL AS ready_callsite FROM etw_context_switch
   ORDER BY ts, cpu LIMIT 5000`,
  `SELECT old_utid, old_state, old_wait_reason, last_state, last_cpu, ready_cause, count(*) AS count, sum(ready_ns) AS ready_ns,
     sum(since_last_ns) AS since_last_ns, sum(run_ns) AS run_ns, sum(switch_out_ts) AS switch_out_ts, sum(ts) AS ts
   FROM etw_context_switch GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`,
  `SELECT s.ts, s.new_utid, f.depth, f.module, f.rva, f.address, r.depth AS ready_depth, r.rva AS ready_rva, r.address AS ready_address
   FROM (SELECT * FROM etw_context_switch WHERE new_callsite IS NOT NULL OR ready_callsite IS NOT NULL ORDER BY ts LIMIT 1000) AS s
   LEFT JOIN etw_stack_frame AS f ON f.callsite = s.new_callsite
   LEFT JOIN etw_stack_frame AS r ON r.callsite = s.ready_callsite ORDER BY s.ts`,
  'SELECT count(*) AS count FROM etw_context_switch',
  `SELECT s.* FROM etw_trace AS t CROSS JOIN etw_context_switch AS s
   ON s.ts BETWEEN (2 * start_ts + end_ts) / 3 AND (start_ts + end_ts) / 2 AND s.new_callsite IS NULL AND s.ready_callsite IS NULL
   ORDER BY s.ts, s.cpu LIMIT 2000`,
  `SELECT ts, old_utid, ready_ns, since_last_ns, last_cpu FROM etw_context_switch
   WHERE new_utid = (SELECT max(utid) FROM etw_run) ORDER BY ts`,
  'SELECT * FROM etw_cpu_switches ORDER BY ts, cpu',
  'SELECT * FROM etw_handle_count ORDER BY ts, upid',
  'SELECT * FROM etw_handle_change ORDER BY ts, upid',
  'SELECT * FROM etw_priority_change ORDER BY ts, utid',
  'SELECT * FROM etw_dfss_session ORDER BY ts, session',
  'SELECT * FROM etw_ready_wait ORDER BY ts, utid LIMIT 5000',
  'SELECT * FROM etw_ready_wait_long ORDER BY ts, utid LIMIT 5000',
  'SELECT * FROM etw_ready_wait_history ORDER BY ts, utid LIMIT 5000',
  'SELECT * FROM etw_ready_wait_bin ORDER BY utid, rank, priority, cause, bin',
  'SELECT * FROM etw_thread_rank ORDER BY ts, utid',
  `SELECT * FROM etw_thread_rank WHERE utid = (SELECT max(utid) FROM etw_run WHERE rank > 0) ORDER BY ts`,
  `SELECT utid, priority, reason, count(*) AS count, min(ts) AS ts, sum(dur) AS dur FROM etw_thread_priority
   GROUP BY utid, priority, reason ORDER BY utid, priority, reason`,
  `SELECT * FROM etw_thread_priority WHERE utid = (SELECT max(utid) FROM etw_run) ORDER BY ts`,
  'SELECT ts, dur, utid, rank_before, rank_after, rank, put_aside_better FROM etw_ready_wait_rank ORDER BY ts',
  `SELECT ${INTERRUPTS} FROM etw_interrupt ORDER BY ts + dur, cpu`,
  `SELECT utid, priority, rank, sum(ran_ns) AS ran_ns, sum(switches) AS switches FROM etw_cpu_time
   GROUP BY utid, priority, rank HAVING sum(ran_ns) > 0 ORDER BY utid, priority, rank`,
  'SELECT * FROM etw_process ORDER BY upid',
  'SELECT * FROM etw_thread ORDER BY utid',
  'SELECT * FROM etw_loss ORDER BY ts, message',
  'SELECT * FROM etw_trace',
  'SELECT trace_start() AS start_ts, trace_end() AS end_ts, trace_dur() AS dur',
  'SELECT start_ts, end_ts FROM trace_bounds',
  'SELECT * FROM etw_process_freeze ORDER BY ts, upid',
  'SELECT * FROM etw_suspend ORDER BY ts',
  'SELECT * FROM etw_generic_event ORDER BY id LIMIT 20000',
  'INCLUDE PERFETTO MODULE etw.sched; SELECT ts, cpu, utid FROM etw_run ORDER BY ts, cpu LIMIT 100',
  `SELECT s.*, f.*, f.caller IS NULL AS is_outermost, NULL AS callsite, NULL AS caller, NULL AS frame
   FROM etw_sample s LEFT JOIN etw_stack_frame f ON f.callsite = s.callsite ORDER BY s.ts LIMIT 5000`,
  `SELECT s.*, f.depth, f.module, f.function, f.rva, f.address, NULL AS callsite
   FROM etw_event_stack s LEFT JOIN etw_stack_frame f ON f.callsite = s.callsite ORDER BY s.ts LIMIT 5000`,
  `SELECT s.ts, f.depth, f.module, f.function, f.rva, f.address
   FROM (SELECT ts, callsite FROM etw_sample ORDER BY ts LIMIT 100) s, etw_stack(s.callsite) f ORDER BY s.ts, f.depth`,
  `SELECT DISTINCT m.module, m.start, m.size_bytes, m.is_image, m.guid, f.mapping_offset, n.function
   FROM etw_frame f JOIN etw_mapping m ON m.mapping = f.mapping LEFT JOIN etw_frame_function n ON n.frame = f.frame
   ORDER BY 1, 2, 3, 4, 5, 6, 7`,
  'SELECT *, NULL AS callsite FROM etw_pmc_sample ORDER BY ts LIMIT 5000',
  'SELECT * FROM etw_image ORDER BY base, upid, load_ts',
  'SELECT *, callsite IS NULL AS callsite FROM etw_disk_io ORDER BY ts, irp LIMIT 5000',
  'SELECT *, callsite IS NULL AS callsite FROM etw_file_io ORDER BY ts, irp LIMIT 5000',
  'SELECT *, callsite IS NULL AS callsite FROM etw_hard_fault ORDER BY ts',
  'SELECT * FROM etw_focus ORDER BY ts, session',
  'SELECT * FROM etw_input ORDER BY ts',
  "SELECT id, fields FROM etw_generic_event WHERE kind GLOB 'FileIo/*' ORDER BY id LIMIT 5000",
  'SELECT kind, count(*) AS count, typeof(kind), typeof(cpu), typeof(header) FROM etw_generic_event GROUP BY 1 ORDER BY 1',
  'SELECT * FROM etw_cpu ORDER BY cpu',
  'SELECT * FROM etw_thread_affinity ORDER BY ts, utid',
  'SELECT * FROM etw_thread_ideal_cpu ORDER BY ts, utid',
  'SELECT * FROM etw_counter_source ORDER BY counter',
  'SELECT * FROM etw_run_counter ORDER BY te, counter LIMIT 5000',
  `SELECT utid, priority, rank, name, count(*) AS count, sum(counted) AS counted, sum(dur) AS dur FROM etw_run_counter
   GROUP BY utid, priority, rank, name ORDER BY utid, priority, rank, name`,
  `SELECT c.* FROM etw_trace AS t CROSS JOIN etw_run_counter AS c
   ON c.te BETWEEN (2 * start_ts + end_ts) / 3 AND (start_ts + end_ts) / 2 ORDER BY c.te, c.counter`,
  'SELECT * FROM etw_process_exit_wait ORDER BY ready_ts',
  'SELECT * FROM etw_user_lock_wait ORDER BY ts, utid',
  `SELECT c.* FROM etw_trace AS t CROSS JOIN etw_cpu_time_between((2 * start_ts + end_ts) / 3, (start_ts + end_ts) / 2) AS c
   ORDER BY utid, priority, rank, ran_ns`,
  `SELECT r.* FROM etw_trace AS t CROSS JOIN etw_ran_between((2 * start_ts + end_ts) / 3, (start_ts + end_ts) / 2) AS r
   ORDER BY ts, cpu`,
  'SELECT w.ts, w.dur, r.cpu, t.tid FROM etw_ready_wait w JOIN etw_run r ON r.ts = w.te JOIN thread t ON t.utid = w.utid ORDER BY w.ts LIMIT 5000',
];
