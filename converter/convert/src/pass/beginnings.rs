//! What is told of a process or a thread that begins, or was there before.

use facts::{ProcessLife, ProcessOrigin, Sink, ThreadLife};

use super::emit::Emit;
use crate::first_times::INITIAL_THREADS_TS_NS;
use crate::lifetime::{Incarnation, Lifetimes, ProcessFacts, ThreadFacts};

/// A thread, and its process.
type Described<'l> = (
    &'l Incarnation<ThreadFacts>,
    Option<&'l Incarnation<ProcessFacts>>,
);

/// What a process is called.
pub fn process_name(facts: &ProcessFacts) -> String {
    match (&facts.image_name, facts.pid) {
        (Some(name), _) => name.to_string(),
        (None, 0) => "Idle".to_owned(),
        (None, pid) => format!("pid {pid}"),
    }
}

/// Tells a process that begins within the trace, or whose id was another's before. Answers when it was created, if that is
/// in the trace.
pub fn new_process(
    emit: &mut Emit,
    raw: i64,
    index: usize,
    process: &Incarnation<ProcessFacts>,
    lifetimes: &Lifetimes,
) -> Option<u64> {
    let ts_ns = emit.stamp(raw);
    let create_ts_ns = process.create_raw.map(|_| ts_ns);
    process_begins(emit, ts_ns, create_ts_ns, index, process);
    let ts_ns = emit.stamp(raw);
    let parent_pid = lifetimes.living_parent(process);
    process_origin(emit, ts_ns, process, parent_pid);
    create_ts_ns
}

/// Tells a process.
pub fn process_begins(
    emit: &mut Emit,
    ts_ns: u64,
    create_ts_ns: Option<u64>,
    index: usize,
    process: &Incarnation<ProcessFacts>,
) {
    let facts = &process.facts;
    let exit_ts_ns = process.exit_raw.map(|raw| emit.ts_of(raw));
    let upid = emit
        .keys
        .begin_process(facts.pid, index, create_ts_ns.is_some());
    let life = ProcessLife {
        upid,
        pid: facts.pid,
        name: process_name(facts).into(),
        parent_pid: facts.parent_pid,
        create_ts_ns,
        exit_ts_ns,
        command_line: facts.command_line.clone(),
        session: facts.session,
        exit_code: facts.exit_status.filter(|_| exit_ts_ns.is_some()),
        sid: facts.sid.clone(),
        package: facts.package.clone(),
        application: facts.application.clone(),
        flags: facts.flags,
        ..ProcessLife::default()
    };
    emit.process_begins(ts_ns, &life);
}

/// Tells where a process comes from: later than the process, and than its parent.
pub fn process_origin(
    emit: &mut Emit,
    ts_ns: u64,
    process: &Incarnation<ProcessFacts>,
    parent_pid: Option<u32>,
) {
    let facts = &process.facts;
    let origin = ProcessOrigin {
        pid: facts.pid,
        name: &process_name(facts),
        command_line: facts.command_line.as_deref(),
        parent_pid,
    };
    emit.sinks.process_origin(ts_ns, &origin);
}

/// Tells a thread that begins within the trace, or whose id was another's before. Answers when it was created, if that is
/// in the trace.
pub fn new_thread(emit: &mut Emit, raw: i64, (thread, process): Described<'_>) -> Option<u64> {
    let create_ts_ns = thread.create_raw.map(|_| {
        let ts_ns = emit.stamp(raw);
        emit.sinks.thread_created(ts_ns, thread.facts.tid);
        ts_ns
    });
    // A time of its own: Perfetto's importer does not keep the order of these two at equal times.
    let ts_ns = emit.stamp(raw);
    thread_begins(emit, ts_ns, create_ts_ns, (thread, process));
    create_ts_ns
}

/// Tells a thread that was there before the trace, or before the selected range.
pub fn initial_thread(emit: &mut Emit, create_ts_ns: Option<u64>, described: Described<'_>) {
    thread_begins(emit, INITIAL_THREADS_TS_NS, create_ts_ns, described);
}

fn thread_begins(
    emit: &mut Emit,
    ts_ns: u64,
    create_ts_ns: Option<u64>,
    (thread, process): Described<'_>,
) {
    let facts = &thread.facts;
    let known = emit
        .keys
        .begin_thread(facts.tid, facts.pid, create_ts_ns.is_some());
    let life = ThreadLife {
        thread: known.thread,
        upid: known.upid,
        pid: Some(facts.pid),
        process_name: process.map(|process| process_name(&process.facts).into()),
        name: facts.name.clone(),
        base_priority: facts.base_priority,
        start_address: facts.start_address,
        create_ts_ns,
        exit_ts_ns: thread.exit_raw.map(|raw| emit.ts_of(raw)),
        io_priority: facts.io_priority,
        page_priority: facts.page_priority,
        sub_process_tag: facts.sub_process_tag,
        affinity: facts.affinity,
        end_affinity: facts.end_affinity,
    };
    emit.thread_begins(ts_ns, &life);
}
